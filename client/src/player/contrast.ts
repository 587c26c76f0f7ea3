/** Returns the channels of a color `#rrggbb`, from 0 to 255. */
export function rgbOf(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Returns black or white, whichever has the higher contrast with the color (relative luminance of WCAG 2.2). */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = rgbOf(color).map(channel => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}
