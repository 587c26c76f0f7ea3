import { expect, it } from 'vitest';
import { firstSteps } from './first-steps';

const own = { id: 'own', own: true, lastSeenAt: '2026-01-01T00:00:00.000Z' };
const shop = { id: 'shop', own: false, lastSeenAt: null };
const tour = (slug: string, ...sites: string[]) => ({ slug, open: sites.map(id => ({ site: { id } })) });
const doneOf = (...input: Parameters<typeof firstSteps>) =>
  Object.entries(firstSteps(...input).done).flatMap(([step, done]) => (done ? [step] : []));

it('does not count the site and the tour that a new workspace has', () => {
  expect(doneOf([own], { nodes: [tour('welcome', 'own')] })).toEqual([]);
});

it('is done step by step', () => {
  const welcome = tour('welcome', 'own');
  expect(doneOf([own, shop], { nodes: [welcome] })).toEqual(['site']);
  expect(doneOf([shop], { nodes: [tour('first')] })).toEqual(['site', 'tour']);
  const installed = { ...shop, lastSeenAt: own.lastSeenAt };
  expect(doneOf([own, installed], { nodes: [welcome, tour('first', 'shop')] })).toHaveLength(4);
  expect(firstSteps([own, shop], { nodes: [welcome, tour('first')] })).toMatchObject({
    site: { id: 'shop' },
    tour: { slug: 'first' },
  });
});
