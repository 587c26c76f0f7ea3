// Derives the look of popovers from the page: font, corner radius and colors, with the contrast of WCAG 2.2 AA.

import { contrastOf, rgbOf, textColorOn, type Rgb } from '../../src/player/contrast';
import type { PlayTheme } from '../../src/player/types';
import { HOST_ATTRIBUTE } from './host';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const MIN_TEXT_CONTRAST = 4.5;
/** Body text as dark as this can be mixed into the colors of secondary texts. */
const MIN_BODY_CONTRAST = 8;
const MIN_SHAPE_CONTRAST = 3;
const DEFAULT_RADIUS = 8;

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

/** Returns the background at a point of the window: that of the first element with an opaque one. */
function backgroundAt(x: number, y: number): Rgb {
  const first = document.elementsFromPoint(x, y).find(element => !element.hasAttribute(HOST_ATTRIBUTE));
  for (let element: Element | null = first ?? null; element; element = element.parentElement) {
    const color = parseColor(getComputedStyle(element).backgroundColor);
    if (color) return color;
  }
  const { colorScheme } = getComputedStyle(document.documentElement);
  const dark = colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches;
  return dark || colorScheme === 'dark' ? [18, 18, 18] : WHITE;
}

const lightness = ([red, green, blue]: Rgb) => 0.3 * red + 0.6 * green + 0.1 * blue;

/** Returns the background of the page, at the edges of the window because elements of the page cover its middle. */
function pageBackground(): Rgb {
  const [right, bottom] = [innerWidth - 8, innerHeight - 8];
  const colors = [backgroundAt(8, innerHeight / 2), backgroundAt(right, innerHeight / 2), backgroundAt(8, bottom)];
  return colors.toSorted((one, other) => lightness(one) - lightness(other))[1] ?? WHITE;
}

/** Returns `share` of the first color mixed with the second one. */
const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((channel, index) => Math.round(channel * share + (other[index] ?? 0) * (1 - share))) as unknown as Rgb;

const css = (color: Rgb) => `rgb(${color.join(', ')})`;

/** Returns the radius of the page's buttons. */
function pageRadius(): number {
  const button = document.querySelector('button, [type=submit], [role=button]');
  const radius = button ? Number.parseFloat(getComputedStyle(button).borderTopLeftRadius) : DEFAULT_RADIUS;
  return Number.isNaN(radius) ? DEFAULT_RADIUS : Math.min(radius, 20);
}

/** Returns the properties that renderer.css reads. */
export function lookOf(theme: PlayTheme): Record<string, string> {
  const background = pageBackground();
  const dark = contrastOf(background, WHITE) > contrastOf(background, BLACK);
  const surface = dark ? mix(background, WHITE, 0.92) : WHITE;
  const { color, fontFamily } = getComputedStyle(document.body);
  const ofPage = parseColor(color);
  const text = ofPage && contrastOf(ofPage, surface) >= MIN_BODY_CONTRAST ? ofPage : dark ? WHITE : BLACK;
  const soft = mix(text, surface, 0.7);
  const muted = contrastOf(soft, surface) >= MIN_TEXT_CONTRAST ? soft : text;
  const accent = rgbOf(theme.accentColor);
  const radius = pageRadius();
  const [red, green, blue] = rgbOf(theme.overlayColor);
  return {
    'color-scheme': dark ? 'dark' : 'light',
    'font-family': fontFamily,
    '--surface': css(surface),
    '--text': css(text),
    '--muted': css(muted),
    '--line': css(mix(text, surface, 0.2)),
    '--hover': css(mix(text, surface, 0.08)),
    '--accent': css(accent),
    '--on-accent': textColorOn(theme.accentColor),
    '--accent-line': css(contrastOf(accent, surface) >= MIN_SHAPE_CONTRAST ? accent : muted),
    '--radius': `${radius}px`,
    '--card-radius': `${Math.min(radius * 1.5, 14)}px`,
    '--overlay': `rgba(${red}, ${green}, ${blue}, ${theme.overlayOpacity})`,
    '--stage-radius': `${theme.stageRadius}px`,
    '--animation': `${theme.animationMs}ms`,
    '--width': `${theme.popoverWidth}px`,
  };
}
