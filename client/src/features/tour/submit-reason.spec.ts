import { expect, it } from 'vitest';
import { submitReason, type Submittable } from './submit-reason';

const tour = (draft: Partial<Submittable['draft']> = {}, status: Submittable['status'] = 'DRAFT'): Submittable => ({
  status,
  draft: { state: 'DRAFT', problems: [], ...draft },
});

it('allows a review request for a draft without blockers', () => {
  expect(submitReason(tour())).toBeNull();
  expect(submitReason(tour({ problems: [{ severity: 'WARNING' }] }, 'LIVE'))).toBeNull();
});

it('rejects a review request with blockers, while in review, or for an archived tour', () => {
  expect(submitReason(tour({ problems: [{ severity: 'BLOCKER' }] }))).toContain('Fix the problems first');
  expect(submitReason(tour({ state: 'IN_REVIEW' }))).toContain('in review');
  expect(submitReason(tour({}, 'ARCHIVED'))).toContain('archived');
});
