import { expect, it } from 'vitest';
import { firstPage } from './first-page';

const here = 'https://waypost.example';

it('is the first of the site, and at the address of Waypost the demo page', () => {
  expect(firstPage(['https://shop.example', here], false, here)).toBe('https://shop.example/');
  expect(firstPage([here, 'https://shop.example'], false, here)).toBe(`${here}/play`);
  expect(firstPage([], false, here)).toBe(`${here}/play`);
  expect(firstPage([here], true, here)).toBe(`${here}/`);
});
