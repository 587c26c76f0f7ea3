import { expect, it } from 'vitest';
import { lastVisited } from './last-visited';

it('looks for people where somebody was last, and at Waypost itself only where there is no other site', () => {
  const site = (name: string, lastSeenAt: string | null, own = false) => ({ name, lastSeenAt, own });
  const own = site('Waypost', '2026-03-03T00:00:00.000Z', true);
  const unseen = site('Demo shop', null);
  const seen = site('My shop', '2026-03-01T00:00:00.000Z');
  const seenLater = site('Docs', '2026-03-02T00:00:00.000Z');
  expect(lastVisited([own, unseen, seen, seenLater])?.name).toBe('Docs');
  expect(lastVisited([own, unseen])?.name).toBe('Demo shop');
  expect(lastVisited([own])?.name).toBe('Waypost');
  expect(lastVisited([])).toBeUndefined();
});
