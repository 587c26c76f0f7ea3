import { expect, it } from 'vitest';
import { askReason, type Askable } from './ask-reason';

const tour = (draft: Partial<Askable['draft']> = {}, status: Askable['status'] = 'DRAFT'): Askable => ({
  status,
  draft: { state: 'DRAFT', problems: [], ...draft },
});

it('others can be asked about a draft that can be released', () => {
  expect(askReason(tour())).toBeNull();
  expect(askReason(tour({ problems: [{ severity: 'WARNING' }] }, 'LIVE'))).toBeNull();
});

it('what cannot be released or is in review already is not asked about', () => {
  expect(askReason(tour({ problems: [{ severity: 'BLOCKER' }] }))).toContain('Fix the problems first');
  expect(askReason(tour({ state: 'IN_REVIEW' }))).toContain('in review');
  expect(askReason(tour({}, 'ARCHIVED'))).toContain('archived');
});
