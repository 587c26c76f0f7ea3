/** Disables the button; the server enforces the same rules. */

import { MutationRevisionSubmit } from '../../generated/fields';
import type { RevisionState, Severity, TourStatus } from '../../generated/operations';
import { canFrom } from '../../shared/api/permissions';
import { t as errors } from '../../shared/i18n/en/errors';
import { t } from '../../shared/i18n/en/review';
import { reasonOf, useReason } from '../workspace/workspace-context';

export interface Submittable {
  readonly status: TourStatus;
  readonly draft: { readonly state: RevisionState; readonly problems: readonly { readonly severity: Severity }[] };
}

export const submitReason = ({ status, draft }: Submittable): string | null =>
  (status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null) ??
  (draft.problems.some(each => each.severity === 'BLOCKER') ? t.panel.solveFirst : null) ??
  reasonOf(canFrom(MutationRevisionSubmit, draft.state, 'revision'));

export function useSubmitReason(): (tour: Submittable) => string | null {
  const roleReason = useReason()(MutationRevisionSubmit);
  return tour => roleReason ?? submitReason(tour);
}
