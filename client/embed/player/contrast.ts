export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];

export const MIN_TEXT_CONTRAST = 4.5;

export function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(channel => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastOf(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(first, second) / Math.min(first, second);
}

/** Prefers white if it has the contrast of WCAG 2.2 AA. */
export const textColorOn = (color: Rgb): '#000000' | '#ffffff' =>
  contrastOf(color, WHITE) < MIN_TEXT_CONTRAST ? '#000000' : '#ffffff';
