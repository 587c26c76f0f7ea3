// Derives the look of popovers from the page, with the contrast of WCAG 2.2 AA.

import { BLACK, contrastOf, MIN_TEXT_CONTRAST, rgbOf, textColorOn, WHITE, type Rgb } from './contrast';
import type { PlayTheme } from './types';

/** Body text as dark as this can be mixed into the colors of secondary texts. */
const MIN_BODY_CONTRAST = 8;
const MIN_SHAPE_CONTRAST = 3;
const DEFAULT_RADIUS = 8;
const MAX_RADIUS = 20;
/** A large page has thousands of buttons and links. */
const MAX_ELEMENTS = 50;
/** Difference between the largest and the smallest channel. Colors below it are gray. */
const MIN_CHROMA = 40;
/** Brighter colors are accents, also if they are light. */
const BRIGHT_CHROMA = 120;
/** The accent color on pages without one. */
export const DEFAULT_ACCENT: Rgb = [47, 91, 234];
/** Default colors of links in light and dark pages, in Chromium and Safari, and in Firefox. */
const DEFAULT_LINKS = new Set(['0, 0, 238', '158, 158, 255', '140, 140, 255'].map(channels => `rgb(${channels})`));

const DEFAULT_FONT = /^("Times New Roman"|Times|serif)$/;

/** Returns the channels of a computed color, or null if it is mostly transparent. */
function parseColor(color: string): Rgb | null {
  const [, r, g, b, alpha = '1'] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color) ?? [];
  if (r !== undefined) return Number(alpha) < 0.5 ? null : [Number(r), Number(g), Number(b)];
  // Other color spaces are not converted by the computed style.
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return null;
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, opacity = 0] = pen.getImageData(0, 0, 1, 1).data;
  return opacity < 128 ? null : [red, green, blue];
}

/** Times after a change of the color scheme, since pages change their colors by scripts and animations. */
const SCHEME_DELAYS_MS = [50, 300, 1000, 3000];

const darkScheme = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** Returns a function that ends the watch. */
export function watchScheme(update: () => void): () => void {
  const query = darkScheme();
  let timers: number[] = [];
  const onChange = () => {
    timers.forEach(clearTimeout);
    timers = SCHEME_DELAYS_MS.map(delay => window.setTimeout(update, delay));
  };
  query.addEventListener('change', onChange);
  return () => {
    query.removeEventListener('change', onChange);
    timers.forEach(clearTimeout);
  };
}

const elementAt = (x: number, y: number, ours: string): Element | null =>
  document.elementsFromPoint(x, y).find(element => !element.matches(ours)) ?? null;

function isInside(x: number, y: number, element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
}

const colorOf = (element: Element): Rgb | null => parseColor(getComputedStyle(element).backgroundColor);

/** The window has the background of the root or, if that has none, of the body, also outside of the body. */
const windowColor = (): Rgb | null => colorOf(document.documentElement) ?? colorOf(document.body);

/** Uses the first element with an opaque background. */
function backgroundAt(x: number, y: number, ours: string): Rgb {
  const found = elementAt(x, y, ours);
  // The backdrop of a modal dialog is part of the dialog, and covers the page.
  const isBackdrop = found?.localName === 'dialog' && !isInside(x, y, found);
  let color = isBackdrop ? windowColor() : null;
  for (let element = found; element && !color; element = element.parentElement) color = colorOf(element);
  color ??= windowColor();
  if (color) return color;
  const { colorScheme } = getComputedStyle(document.documentElement);
  const dark = colorScheme.includes('dark') && darkScheme().matches;
  return dark || colorScheme === 'dark' ? [18, 18, 18] : WHITE;
}

const lightness = ([red, green, blue]: Rgb) => 0.3 * red + 0.6 * green + 0.1 * blue;

/** Browsers before 2023 have no `toSorted`. */
// oxlint-disable-next-line unicorn/no-array-sort -- see above, and the array is a copy
const sorted = <Value>(values: readonly Value[], compare: (one: Value, other: Value) => number) =>
  [...values].sort(compare);

/** Looks at places of which a side bar, a banner or an element in the middle covers less than half. */
function pageBackground(ours: string): Rgb {
  const points = [
    [8, innerHeight / 2],
    [8, innerHeight - 8],
    [innerWidth - 8, innerHeight / 2],
    [innerWidth - 8, innerHeight - 8],
    [innerWidth / 2, innerHeight / 2],
  ] as const;
  const colors = points.map(([x, y]) => backgroundAt(x, y, ours));
  return sorted(colors, (one, other) => lightness(one) - lightness(other))[points.length >> 1] ?? WHITE;
}

const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((channel, index) => Math.round(channel * share + (other[index] ?? 0) * (1 - share))) as unknown as Rgb;

const css = (color: Rgb) => `rgb(${color.join(', ')})`;

const elements = (selector: string, ours: string): Element[] =>
  [...document.querySelectorAll(selector)].filter(each => !each.closest(ours)).slice(0, MAX_ELEMENTS);

/** Omits buttons with icons only, which are often circles. */
const visibleButtons = (ours: string): Element[] =>
  elements('button, [type=submit], [role=button], a[class*=button], a[class*=btn]', ours).filter(button => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return width > height && button.contains(elementAt(left + width / 2, top + height / 2, ours));
  });

/**
 * Returns the font of the page's body. Many applications style only an element in it, and those that have not loaded yet
 * have no font.
 */
function pageFont(ours: string): string | undefined {
  const fonts = [document.body, ...elements(':is(div,main)', ours)].map(
    element => getComputedStyle(element).fontFamily,
  );
  return fonts.find(font => font && !DEFAULT_FONT.test(font));
}

/** Returns the median radius of the visible buttons, except those with the browser's style, which is not a decision. */
function pageRadius(ours: string): number | undefined {
  const radii = visibleButtons(ours).flatMap(button => {
    const { borderTopLeftRadius: radius, borderTopStyle } = getComputedStyle(button);
    return radius.endsWith('px') && borderTopStyle !== 'outset' ? [Number.parseFloat(radius)] : [];
  });
  return sorted(radii, (one, other) => one - other)[radii.length >> 1];
}

/** A gradient begins with its main color. */
function buttonColor(button: Element): Rgb | null {
  const { backgroundColor, backgroundImage } = getComputedStyle(button);
  const [start] = /rgba?\([^)]+\)/.exec(backgroundImage) ?? [];
  return (start && parseColor(start)) || parseColor(backgroundColor);
}

function mostFrequent(colors: (Rgb | null)[], dark: boolean): Rgb | undefined {
  const counts = new Map<string, number>();
  const vivid = colors.filter(color => color !== null && isVivid(color, dark));
  for (const color of vivid) counts.set(String(color), (counts.get(String(color)) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  return vivid.find(color => counts.get(String(color)) === highest) ?? undefined;
}

/** False for gray and, on a light page, for the pale colors of secondary or disabled buttons, but not for a yellow. */
function isVivid(color: Rgb, dark: boolean): boolean {
  const chroma = Math.max(...color) - Math.min(...color);
  const isPale = !dark && chroma < BRIGHT_CHROMA && contrastOf(color, WHITE) < MIN_SHAPE_CONTRAST;
  return chroma >= MIN_CHROMA && !isPale;
}

/** Buttons in these have the colors of a side bar. */
const NAVIGATION = 'nav, aside, [role=navigation], [role=menubar], [role=tablist]';
const PRIMARY = '[type=submit], [class*=primary], [class*=Primary]';

const linkColor = (link: Element): Rgb | null => {
  const { color } = getComputedStyle(link);
  return DEFAULT_LINKS.has(color) ? null : parseColor(color);
};

/** Prefers the color that the page declares, then that of its main action, of other buttons, and of links. */
function pageAccent(ours: string, dark: boolean): Rgb {
  const { accentColor } = getComputedStyle(document.body);
  const declared = accentColor && accentColor !== 'auto' && parseColor(accentColor);
  if (declared) return declared;
  const isContent = (element: Element) => !element.closest(NAVIGATION);
  const buttons = visibleButtons(ours).filter(button => !button.matches(':disabled, [aria-disabled=true]'));
  const inContent = buttons.filter(isContent);
  const links = elements('a[href]', ours);
  const from = (found: readonly Element[], colorOfElement: (element: Element) => Rgb | null) =>
    mostFrequent(found.map(colorOfElement), dark);
  return (
    from(
      inContent.filter(button => button.matches(PRIMARY)),
      buttonColor,
    ) ??
    from(inContent, buttonColor) ??
    from(links.filter(isContent), linkColor) ??
    from(buttons, buttonColor) ??
    from(links, linkColor) ??
    DEFAULT_ACCENT
  );
}

/** Darkens colors that pages combine with white texts, so that white has enough contrast on a white popover. */
function withContrast(color: Rgb, surface: Rgb, dark: boolean): Rgb {
  const onWhite = !dark && contrastOf(color, WHITE) >= MIN_SHAPE_CONTRAST;
  let fill = color;
  while (contrastOf(fill, surface) < (onWhite ? MIN_TEXT_CONTRAST : MIN_SHAPE_CONTRAST))
    fill = mix(fill, dark ? WHITE : BLACK, 0.95);
  return fill;
}

/** A little lighter than a dark background, or much darker than one of medium lightness. */
function darkSurfaceOn(background: Rgb): Rgb {
  const lighter = mix(background, WHITE, 0.92);
  return contrastOf(lighter, WHITE) >= MIN_BODY_CONTRAST ? lighter : mix(background, BLACK, 0.5);
}

/** The values that lookOf has found on the page. They stay the same for all steps of a run. */
export interface FoundLook {
  accents: { light?: Rgb; dark?: Rgb };
  radius?: number | undefined;
  font?: string | undefined;
}

/** `ours` is a selector of the renderer's elements. Updates `found`. */
export function lookOf(theme: PlayTheme, ours: string, found: FoundLook): Record<string, string> {
  const background = pageBackground(ours);
  const dark = contrastOf(background, WHITE) > contrastOf(background, BLACK);
  const surface = dark ? darkSurfaceOn(background) : WHITE;
  const { color } = getComputedStyle(document.body);
  const ofPage = parseColor(color);
  const text = ofPage && contrastOf(ofPage, surface) >= MIN_BODY_CONTRAST ? ofPage : dark ? WHITE : BLACK;
  const soft = mix(text, surface, 0.7);
  const muted = contrastOf(soft, surface) >= MIN_TEXT_CONTRAST ? soft : text;
  const accent =
    theme.accentColor === null
      ? withContrast((found.accents[dark ? 'dark' : 'light'] ??= pageAccent(ours, dark)), surface, dark)
      : rgbOf(theme.accentColor);
  const radius = Math.min((found.radius ??= pageRadius(ours)) ?? DEFAULT_RADIUS, MAX_RADIUS);
  const [red, green, blue] = rgbOf(theme.overlayColor);
  return {
    'color-scheme': dark ? 'dark' : 'light',
    'font-family': theme.fontFamily
      ? `${theme.fontFamily}, system-ui, sans-serif`
      : ((found.font ??= pageFont(ours)) ?? 'system-ui, sans-serif'),
    '--wp-surface': css(surface),
    '--wp-text': css(text),
    '--wp-muted': css(muted),
    '--wp-line': css(mix(text, surface, 0.2)),
    '--wp-hover': css(mix(text, surface, 0.08)),
    '--wp-accent': css(accent),
    '--wp-on-accent': textColorOn(accent),
    '--wp-accent-line': css(contrastOf(accent, surface) >= MIN_SHAPE_CONTRAST ? accent : muted),
    '--wp-radius': `${theme.buttonRadius ?? radius}px`,
    '--wp-card-radius': `${theme.popoverRadius ?? Math.min(radius * 1.5, 12)}px`,
    '--wp-overlay': `rgba(${red}, ${green}, ${blue}, ${theme.overlayOpacity})`,
    '--wp-stage-radius': `${theme.stageRadius}px`,
    '--wp-animation': `${theme.animationMs}ms`,
    '--wp-width': `${theme.popoverWidth}px`,
  };
}
