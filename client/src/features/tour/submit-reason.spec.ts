import { expect, it } from 'vitest';
import { submitReason, type Submittable } from './submit-reason';

const tour = (draft: Partial<Submittable['draft']> = {}, status: Submittable['status'] = 'DRAFT'): Submittable => ({
  status,
  draft: { state: 'DRAFT', problems: [], ...draft },
});

it('others can be asked about a draft that can be released', () => {
  expect(submitReason(tour())).toBeNull();
  expect(submitReason(tour({ problems: [{ severity: 'WARNING' }] }, 'LIVE'))).toBeNull();
});

it('what cannot be released or is in review already is not asked about', () => {
  expect(submitReason(tour({ problems: [{ severity: 'BLOCKER' }] }))).toContain('Fix the problems first');
  expect(submitReason(tour({ state: 'IN_REVIEW' }))).toContain('in review');
  expect(submitReason(tour({}, 'ARCHIVED'))).toContain('archived');
});
