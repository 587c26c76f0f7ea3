// Reduces a screenshot to a PNG with a palette of 256 colors (https://www.w3.org/TR/png-3/): the most frequent ones.
// Each other color, such as a shade of smoothed text, becomes the nearest of them.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The color type of images with a palette. */
const PALETTE = 3;

/**
 * Returns the image with at most 256 colors, without transparency. Returns an image that already has a palette
 * unchanged.
 * @param {Buffer} png 8 bits per channel, RGB or RGBA, not interlaced, as browsers write screenshots
 * @returns {Buffer}
 */
export function toPalette(png) {
  const { width, height, kind, data } = read(png);
  if (kind === PALETTE) return png;
  const pixels = decodePixels(data, width, height, kind === 6 ? 4 : 3);
  const counts = new Map();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  // Among equally frequent colors, the darker one is first, so that the result is deterministic.
  const byCount = [...counts].sort(([a, many], [b, more]) => more - many || a - b).map(([color]) => color);
  const palette = byCount.slice(0, 256);
  const index = new Map(palette.map((color, at) => [color, at]));
  for (const color of byCount.slice(256)) index.set(color, nearest(palette, color));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) lines[y * (width + 1) + x + 1] = index.get(pixels[y * width + x]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE, 0, 0, 0], 8);
  const plte = Buffer.from(palette.flatMap(color => [color >> 16, (color >> 8) & 255, color & 255]));
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', plte),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND'),
  ];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function read(png) {
  const data = [];
  let at = SIGNATURE.length;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  return { width, height, kind, data: inflateSync(Buffer.concat(data)) };
}

function decodePixels(data, width, height, channels) {
  const row = width * channels;
  const pixels = new Uint32Array(width * height);
  let before = new Uint8Array(row);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (row + 1)];
    const line = Uint8Array.from(data.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
    for (let at = 0; at < row; at += 1) {
      const left = at < channels ? 0 : line[at - channels];
      const corner = at < channels ? 0 : before[at - channels];
      line[at] += [0, left, before[at], (left + before[at]) >> 1, paeth(left, before[at], corner)][filter];
    }
    for (let x = 0; x < width; x += 1) {
      const from = x * channels;
      pixels[y * width + x] = (line[from] << 16) | (line[from + 1] << 8) | line[from + 2];
    }
    before = line;
  }
  return pixels;
}

function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function nearest(palette, color) {
  const distance = other =>
    ((color >> 16) - (other >> 16)) ** 2 +
    (((color >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
    ((color & 255) - (other & 255)) ** 2;
  let best = 0;
  for (let at = 1; at < palette.length; at += 1) if (distance(palette[at]) < distance(palette[best])) best = at;
  return best;
}

function chunk(name, data = Buffer.alloc(0)) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
