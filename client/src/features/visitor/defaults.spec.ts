import { expect, it } from 'vitest';
import { defaultPage, defaultSite } from './defaults';

const here = 'https://waypost.example';

it('returns the first origin of a site, or the demo page at the address of Waypost', () => {
  expect(defaultPage(['https://shop.example', here], false, here)).toBe('https://shop.example/');
  expect(defaultPage([here, 'https://shop.example'], false, here)).toBe(`${here}/play`);
  expect(defaultPage([], false, here)).toBe(`${here}/play`);
  expect(defaultPage([here], true, here)).toBe(`${here}/`);
});

it('prefers the site that was seen last, and Waypost itself only if there is no other', () => {
  const site = (name: string, lastSeenAt: string | null, own = false) => ({ name, lastSeenAt, own });
  const own = site('Waypost', '2026-03-03T00:00:00.000Z', true);
  const unseen = site('Demo shop', null);
  const seen = site('My shop', '2026-03-01T00:00:00.000Z');
  const seenLater = site('Docs', '2026-03-02T00:00:00.000Z');
  expect(defaultSite([own, unseen, seen, seenLater])?.name).toBe('Docs');
  expect(defaultSite([own, unseen])?.name).toBe('Demo shop');
  expect(defaultSite([own])?.name).toBe('Waypost');
  expect(defaultSite([])).toBeUndefined();
});
