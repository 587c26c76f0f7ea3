// The small pictures of screens: what is in them is what was in the large ones.
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toPalette } from './lib/palette-png.mjs';

/** A PNG of 8-bit RGB lines, each with the filter that comes first in it; checksums are nobody's concern here. */
function png(width, lines) {
  const part = (name, data) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(lines.length, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.from(lines.flat()));
  return Buffer.concat([Buffer.alloc(8), part('IHDR', header), part('IDAT', data)]);
}

/** The pixels of a picture with a palette, row by row. */
function pixels(picture, width) {
  const at = name => picture.indexOf(name);
  const length = name => picture.readUInt32BE(at(name) - 4);
  const palette = picture.subarray(at('PLTE') + 4);
  const rows = inflateSync(picture.subarray(at('IDAT') + 4, at('IDAT') + 4 + length('IDAT')));
  return [...rows].flatMap((index, place) =>
    place % (width + 1) === 0 ? [] : [palette.subarray(3 * index, 3 * index + 3).toString('hex')],
  );
}

test('a picture of few colours keeps each of them, whatever filters its lines have', () => {
  const none = [0, 255, 0, 0, 0, 255, 0];
  const left = [1, 10, 20, 30, 1, 1, 1];
  const up = [2, 1, 0, 0, 0, 0, 1];
  const average = [3, 0, 0, 0, 0, 0, 0];
  const paeth = [4, 0, 0, 0, 0, 0, 0];
  const small = toPalette(png(2, [none, left, up, average, paeth]));
  const rows = ['ff0000 00ff00', '0a141e 0b151f', '0b141e 0b1520', '050a0f 080f17', '050a0f 080f17'];
  expect(pixels(small, 2)).toEqual(rows.join(' ').split(' '));
});

test('of more than 256 colours the rarest become the nearest of the others', () => {
  const line = [0, ...Array.from({ length: 300 }, (_, red) => [red % 256, red < 256 ? 0 : 2, 0]).flat()];
  const small = toPalette(png(300, [line]));
  const shown = pixels(small, 300);
  expect(new Set(shown).size).toBe(256);
  expect(toPalette(small)).toBe(small);
});
