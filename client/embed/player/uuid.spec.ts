import { expect, it } from 'vitest';
import { newUuid } from './uuid';

it('has the layout of version 7, sorts by time and is unique', () => {
  const ids = Array.from({ length: 500 }, (_, ms) => newUuid(1_764_000_000_000 + ms));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 500 }, () => newUuid(0))).size).toBe(500);
});
