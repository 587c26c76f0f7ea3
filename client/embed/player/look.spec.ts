import { afterEach, expect, it } from 'vitest';
import { contrastOf, type Rgb } from './contrast';
import { playTheme } from './fixtures';
import { type FoundLook, lookOf } from './look';

const buttons = () => [...document.querySelectorAll<HTMLElement>('button')];

// Each button has its own place, except hidden ones.
document.elementsFromPoint = x => [...buttons().filter(each => !each.hidden && placeOf(each) === x), document.body];
const placeOf = (element: Element) => 100 * (1 + buttons().findIndex(each => each === element));
Element.prototype.getBoundingClientRect = function () {
  return new DOMRect(placeOf(this) - 40, 0, 80, 30);
};

afterEach(() => {
  document.documentElement.removeAttribute('style');
  document.body.removeAttribute('style');
  document.body.replaceChildren();
});

const CHANNELS = [0, 60, 117, 118, 200, 255];
const rgb = (value: string): Rgb =>
  value.startsWith('#')
    ? ([1, 3, 5].map(at => Number.parseInt(value.slice(at, at + 2), 16)) as unknown as Rgb)
    : ((value.match(/\d+/g) ?? []).map(Number) as unknown as Rgb);

it('has the contrast of WCAG 2.2 AA on pages of any colors, with any accent color of the theme or of the page', () => {
  const failures: string[] = [];
  for (const [index, red] of CHANNELS.entries())
    for (const green of CHANNELS)
      for (const blue of CHANNELS) {
        const text = `rgb(${blue}, ${red}, ${green})`;
        const ownColor = ['#2f5bea', '#ffffff', '#000000', '#808080', '#00ff00', '#ffbb00'][index] ?? '';
        document.body.style.backgroundColor = `rgb(${red}, ${green}, ${blue})`;
        document.body.style.color = text;
        document.body.innerHTML = `<button style="background-color: ${text}">Buy</button>`;
        for (const accentColor of [ownColor, null]) {
          const look = lookOf({ ...playTheme, accentColor }, '[data-waypost]', { accents: {} });
          const value = (name: string) => rgb(look[`--wp-${name}`] ?? '');
          for (const [one, other, least] of [
            ['text', 'surface', 4.5],
            ['muted', 'surface', 4.5],
            ['on-accent', 'accent', 4.5],
            ['accent-line', 'surface', 3],
            ['accent', 'surface', accentColor === null ? 3 : 1],
          ] as const) {
            const contrast = contrastOf(value(one), value(other));
            if (contrast < least)
              failures.push(`${red} ${green} ${blue}, ${accentColor}: ${one} on ${other} ${contrast.toFixed(2)}`);
          }
        }
      }
  expect(failures).toEqual([]);
});

it('takes font and corners from the theme if it has them, also corners of 0', () => {
  document.body.style.fontFamily = 'Georgia';
  document.body.innerHTML = '<button style="border-radius: 6px">Buy</button>';
  const own = { ...playTheme, popoverRadius: 0, buttonRadius: 20, fontFamily: 'Inter' };
  expect(lookOf(own, '[data-waypost]', { accents: {} })).toMatchObject({
    'font-family': 'Inter, system-ui, sans-serif',
    '--wp-radius': '20px',
    '--wp-card-radius': '0px',
  });
  const page = { ...playTheme, popoverRadius: null, buttonRadius: null, fontFamily: null };
  expect(lookOf(page, '[data-waypost]', { accents: {} })).toEqual(lookOf(playTheme, '[data-waypost]', { accents: {} }));
});

it('takes font, text color and background from the page', () => {
  Object.assign(document.body.style, { backgroundColor: 'rgb(13, 17, 23)', color: 'rgb(201, 209, 217)' });
  document.body.style.fontFamily = 'Georgia';
  expect(lookOf(playTheme, '[data-waypost]', { accents: {} })).toMatchObject({
    'color-scheme': 'dark',
    'font-family': 'Georgia',
    '--wp-text': 'rgb(201, 209, 217)',
    '--wp-surface': 'rgb(32, 36, 42)',
  });
});

it('has the background of the content next to a side bar, and above a banner', () => {
  const { elementsFromPoint } = document;
  document.body.style.backgroundColor = 'rgb(255, 255, 255)';
  document.body.innerHTML = '<aside style="background-color: rgb(46, 31, 94)"></aside>';
  const [aside = document.body] = document.querySelectorAll('aside');
  const covers: readonly ((x: number, y: number) => boolean)[] = [
    x => x < 200,
    x => x > innerWidth - 200,
    (_, y) => y > innerHeight - 100,
    (x, y) => Math.abs(x - innerWidth / 2) < 200 && Math.abs(y - innerHeight / 2) < 200,
  ];
  const schemes = covers.map(isCovered => {
    document.elementsFromPoint = (x, y) => (isCovered(x, y) ? [aside, document.body] : [document.body]);
    return lookOf(playTheme, '[data-waypost]', { accents: {} })['color-scheme'];
  });
  document.elementsFromPoint = elementsFromPoint;
  expect(schemes).toEqual(['light', 'light', 'light', 'light']);
});

it('takes the font from the root of an application, and uses that of the system if no element has one', () => {
  const font = () => lookOf(playTheme, '[data-waypost]', { accents: {} })['font-family'];
  document.body.style.fontFamily = '"Times New Roman"';
  expect(font()).toBe('system-ui, sans-serif');
  document.body.innerHTML =
    '<div data-waypost style="font-family: Arial"></div><div style="font-family: serif"></div><div style="font-family: Georgia"></div>';
  expect(font()).toBe('Georgia');
});

const accentOf = (html: string, bodyStyle = '', found: FoundLook = { accents: {} }) => {
  document.body.innerHTML = html;
  document.body.style.cssText = bodyStyle;
  const look = lookOf({ ...playTheme, accentColor: null }, '[data-waypost]', found);
  return [look['--wp-accent'], look['--wp-on-accent']];
};

const button = (background: string, attributes = '') => `<button ${attributes} style="${background}">Text</button>`;
const link = (color: string) => `<a href="/" style="color: ${color}">Text</a>`;
const BLUE = ['rgb(47, 91, 234)', '#ffffff'];
const red = 'background-color: rgb(200, 30, 30)';
const green = 'background-color: rgb(20, 110, 60)';
const gray = 'background-color: rgb(100, 110, 120)';

it.each<[page: string, html: string, bodyStyle: string, expected: string[]]>([
  ['of Bootstrap', button('background-color: rgb(13, 110, 253)'), '', ['rgb(13, 110, 253)', '#ffffff']],
  [
    'with white texts of little contrast',
    button('background-color: rgb(0, 132, 255)'),
    '',
    ['rgb(0, 113, 219)', '#ffffff'],
  ],
  ['with a yellow button', button('background-color: rgb(255, 193, 7)'), '', ['rgb(179, 135, 7)', '#000000']],
  [
    'with a dark background',
    button('background-color: rgb(20, 60, 20)'),
    'background-color: rgb(13, 17, 23)',
    ['rgb(92, 119, 92)', '#ffffff'],
  ],
  [
    'with several buttons',
    button(gray) + button(gray) + button(red) + button(green) + button(green),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  [
    'with a submit button',
    button(red) + button(red) + button(green, 'type="submit"'),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  ['with a gray submit button', button(red) + button(gray, 'type="submit"'), '', ['rgb(200, 30, 30)', '#ffffff']],
  [
    'with a side bar of many buttons',
    `<aside>${button(red).repeat(3)}</aside>${button(green)}`,
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  ['with buttons in a side bar only', `<nav>${button(red)}</nav>`, '', ['rgb(200, 30, 30)', '#ffffff']],
  [
    'with pale buttons',
    button('background-color: rgb(200, 190, 240)').repeat(2) + button(green),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  ['with pale buttons only', button('background-color: rgb(200, 190, 240)'), '', BLUE],
  [
    'with pale buttons and a dark background',
    button('background-color: rgb(200, 190, 240)'),
    'background-color: rgb(13, 17, 23)',
    ['rgb(200, 190, 240)', '#000000'],
  ],
  [
    'with a primary button',
    button(red).repeat(2) + button(green, 'class="button-primary"'),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  [
    'with a disabled primary button',
    button(red, 'class="primary" disabled') + button(green),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  ['with a hidden button', button(red, 'hidden') + button(green), '', ['rgb(20, 110, 60)', '#ffffff']],
  [
    'with a gradient',
    button('background-image: linear-gradient(rgb(200, 30, 30), rgb(20, 110, 60))'),
    '',
    ['rgb(200, 30, 30)', '#ffffff'],
  ],
  [
    'with a sheen on a color',
    button(`background-image: linear-gradient(rgba(255, 255, 255, 0.15), rgba(255, 255, 255, 0)); ${green}`),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  [
    'with transparent buttons',
    button('background-color: rgba(200, 30, 30, 0.1)') + link('rgb(20, 110, 60)'),
    '',
    ['rgb(20, 110, 60)', '#ffffff'],
  ],
  ['with links only', link('rgb(60, 60, 60)') + link('rgb(200, 30, 30)'), '', ['rgb(200, 30, 30)', '#ffffff']],
  ['with default links', link('rgb(0, 0, 238)'), '', BLUE],
  ['with default links in a dark scheme', link('rgb(158, 158, 255)'), '', BLUE],
  ['without colors', button(gray) + link('rgb(0, 0, 0)'), '', BLUE],
  ['with a popover of Waypost', `<div data-waypost>${button(red)}${link('rgb(200, 30, 30)')}</div>`, '', BLUE],
  ['that declares its color', button(red), 'accent-color: rgb(20, 110, 60)', ['rgb(20, 110, 60)', '#ffffff']],
  ['that declares no color', button(red), 'accent-color: auto', ['rgb(200, 30, 30)', '#ffffff']],
])('takes the accent color from a page %s', (_, html, bodyStyle, expected) => {
  expect(accentOf(html, bodyStyle)).toEqual(expected);
});

it('keeps the accent color of the page for all steps of a run, for each color scheme', () => {
  const found: FoundLook = { accents: {} };
  const dark = 'background-color: rgb(13, 17, 23)';
  const first = accentOf(button(red), '', found);
  expect(accentOf(button(green), '', found)).toEqual(first);
  expect(accentOf(button(green), dark, found)).not.toEqual(first);
  expect(accentOf(button(green), '', found)).toEqual(first);
});

it('keeps the radius and the font of the page for all steps of a run', () => {
  const found: FoundLook = { accents: {} };
  const look = (html: string) => {
    document.body.innerHTML = html;
    const {
      '--wp-radius': radius,
      '--wp-card-radius': cardRadius,
      'font-family': font,
    } = lookOf(playTheme, '[data-waypost]', found);
    return [radius, cardRadius, font];
  };
  document.body.style.fontFamily = 'serif';
  // The page has not loaded yet.
  expect(look('')).toEqual(['8px', '12px', 'system-ui, sans-serif']);
  const first = look(`<div style="font-family: Georgia">${button('border-radius: 2px')}</div>`);
  expect(first).toEqual(['2px', '3px', 'Georgia']);
  expect(look(`<div style="font-family: Arial">${button('border-radius: 16px')}</div>`)).toEqual(first);
});

it('ignores the radius of buttons with the style of the browser', () => {
  document.body.innerHTML = button('border: 2px outset; border-radius: 0px');
  expect(lookOf(playTheme, '[data-waypost]', { accents: {} })['--wp-radius']).toBe('8px');
});

it('takes the background of a body that does not fill the window', () => {
  const { elementsFromPoint } = document;
  document.elementsFromPoint = () => [document.documentElement];
  document.body.style.backgroundColor = 'rgb(13, 17, 23)';
  const surface = () => lookOf(playTheme, '[data-waypost]', { accents: {} })['--wp-surface'];
  expect(surface()).toBe('rgb(32, 36, 42)');
  document.documentElement.style.backgroundColor = 'rgb(255, 255, 255)';
  expect(surface()).toBe('rgb(255, 255, 255)');
  document.elementsFromPoint = elementsFromPoint;
});

it('takes the background from the page behind a modal dialog', () => {
  const { elementsFromPoint } = document;
  const { getBoundingClientRect } = Element.prototype;
  document.body.innerHTML = '<dialog style="background-color: rgb(60, 60, 90)"></dialog>';
  const dialog = document.querySelector('dialog');
  document.elementsFromPoint = () => (dialog ? [dialog] : []);
  Element.prototype.getBoundingClientRect = () => new DOMRect(400, 300, 200, 100);
  const surface = () => lookOf(playTheme, '[data-waypost]', { accents: {} })['--wp-surface'];
  try {
    document.body.style.backgroundColor = 'rgb(13, 17, 23)';
    expect(surface()).toBe('rgb(32, 36, 42)');
    // Many applications have their color in an element that the dialog makes inert.
    document.body.style.backgroundColor = '';
    expect(surface()).toBe('rgb(76, 76, 103)');
  } finally {
    document.elementsFromPoint = elementsFromPoint;
    Element.prototype.getBoundingClientRect = getBoundingClientRect;
  }
});
