import { expect, it } from 'vitest';
import { countBroken, isBroken } from './broken-tours';

const sites = [{ brokenTours: [{ id: 'a' }, { id: 'b' }] }, { brokenTours: [{ id: 'a' }] }];

it('counts a tour that is broken on several sites once', () => {
  expect([countBroken(sites), countBroken([])]).toEqual([2, 0]);
});

it('finds a broken tour on any site', () => {
  expect([isBroken({ id: 'b' }, sites), isBroken({ id: 'c' }, sites)]).toEqual([true, false]);
});
