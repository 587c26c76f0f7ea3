import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toPalette } from './lib/palette-png.mjs';

function png(width, lines) {
  const chunk = (name, data) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(lines.length, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.from(lines.flat()));
  return Buffer.concat([Buffer.alloc(8), chunk('IHDR', header), chunk('IDAT', data)]);
}

function pixels(image, width) {
  const at = name => image.indexOf(name);
  const length = name => image.readUInt32BE(at(name) - 4);
  const palette = image.subarray(at('PLTE') + 4);
  const rows = inflateSync(image.subarray(at('IDAT') + 4, at('IDAT') + 4 + length('IDAT')));
  return [...rows].flatMap((index, position) =>
    position % (width + 1) === 0 ? [] : [palette.subarray(3 * index, 3 * index + 3).toString('hex')],
  );
}

test('keeps every color of an image with few colors, with any line filter', () => {
  const none = [0, 255, 0, 0, 0, 255, 0];
  const left = [1, 10, 20, 30, 1, 1, 1];
  const up = [2, 1, 0, 0, 0, 0, 1];
  const average = [3, 0, 0, 0, 0, 0, 0];
  const paeth = [4, 0, 0, 0, 0, 0, 0];
  const small = toPalette(png(2, [none, left, up, average, paeth]));
  const rows = ['ff0000 00ff00', '0a141e 0b151f', '0b141e 0b1520', '050a0f 080f17', '050a0f 080f17'];
  expect(pixels(small, 2)).toEqual(rows.join(' ').split(' '));
});

test('replaces the rarest of more than 256 colors by the nearest other color', () => {
  const line = [0, ...Array.from({ length: 300 }, (_, red) => [red % 256, red < 256 ? 0 : 2, 0]).flat()];
  const small = toPalette(png(300, [line]));
  const shown = pixels(small, 300);
  expect(new Set(shown).size).toBe(256);
  expect(toPalette(small)).toBe(small);
});
