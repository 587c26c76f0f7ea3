import { afterEach, expect, it } from 'vitest';
import { contrastOf, type Rgb } from './contrast';
import { playTheme } from './fixtures';
import { lookOf } from './look';

document.elementsFromPoint = () => [document.body];

afterEach(() => document.body.removeAttribute('style'));

const CHANNELS = [0, 60, 117, 118, 200, 255];
const rgb = (value: string): Rgb =>
  value.startsWith('#')
    ? ([1, 3, 5].map(at => Number.parseInt(value.slice(at, at + 2), 16)) as unknown as Rgb)
    : ((value.match(/\d+/g) ?? []).map(Number) as unknown as Rgb);

it('has the contrast of WCAG 2.2 AA on pages of any colors, with any accent color', () => {
  const failures: string[] = [];
  for (const [index, red] of CHANNELS.entries())
    for (const green of CHANNELS)
      for (const blue of CHANNELS) {
        const text = `rgb(${blue}, ${red}, ${green})`;
        const accentColor = ['#2f5bea', '#ffffff', '#000000', '#808080', '#00ff00', '#ffbb00'][index] ?? '';
        document.body.style.backgroundColor = `rgb(${red}, ${green}, ${blue})`;
        document.body.style.color = text;
        const look = lookOf({ ...playTheme, accentColor }, '[data-waypost]');
        const value = (name: string) => rgb(look[`--wp-${name}`] ?? '');
        for (const [one, other, least] of [
          ['text', 'surface', 4.5],
          ['muted', 'surface', 4.5],
          ['on-accent', 'accent', 4.5],
          ['accent-line', 'surface', 3],
        ] as const) {
          const contrast = contrastOf(value(one), value(other));
          if (contrast < least) failures.push(`${red} ${green} ${blue}: ${one} on ${other} ${contrast.toFixed(2)}`);
        }
      }
  expect(failures).toEqual([]);
});

it('takes font, text color and background from the page', () => {
  Object.assign(document.body.style, { backgroundColor: 'rgb(13, 17, 23)', color: 'rgb(201, 209, 217)' });
  document.body.style.fontFamily = 'Georgia';
  expect(lookOf(playTheme, '[data-waypost]')).toMatchObject({
    'color-scheme': 'dark',
    'font-family': 'Georgia',
    '--wp-text': 'rgb(201, 209, 217)',
    '--wp-surface': 'rgb(32, 36, 42)',
  });
});
