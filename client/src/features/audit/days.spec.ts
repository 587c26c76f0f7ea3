import { expect, it } from 'vitest';
import { daysOf } from './days';
import type { Entry } from './entry-text';

const entry = (at: string, action: string, by = 'ada'): Entry => ({
  id: `${at} ${action}`,
  // Without a zone, so that the days are those of the test's time zone.
  at: new Date(at).toISOString(),
  action,
  subject: 'First order',
  by: { id: by, name: by },
  changes: [],
});

const shape = (entries: readonly Entry[]) =>
  daysOf(entries).map(({ day, lines }) => [day, lines.map(line => line.length)]);

it('groups by the day of the browser, newest first as given', () => {
  expect(
    shape([
      entry('2026-11-06T00:10:00', 'tour.rename'),
      entry('2026-11-05T23:50:00', 'tour.rename'),
      entry('2026-11-05T08:00:00', 'tour.create'),
    ]),
  ).toEqual([
    ['2026-11-06', [1]],
    ['2026-11-05', [1, 1]],
  ]);
});

it('puts many equal actions of one account in a row together', () => {
  const pushes = (count: number, by: string) =>
    Array.from({ length: count }, (_, index) => entry(`2026-11-05T10:00:${10 + index}`, 'tour.create', by));
  const mixed = [...pushes(4, 'ci'), entry('2026-11-05T09:59:00', 'tour.rename', 'ci'), ...pushes(3, 'ci')];
  expect(shape(mixed)).toEqual([['2026-11-05', [4, 1, 1, 1, 1]]]);
  expect(shape([...pushes(2, 'ci'), ...pushes(2, 'ada')])).toEqual([['2026-11-05', [1, 1, 1, 1]]]);
});
