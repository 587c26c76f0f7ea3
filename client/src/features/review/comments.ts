import { RevisionContent } from '../../generated/documents/RevisionContent';
import { t as errors } from '../../shared/i18n/en/errors';
import { useTour } from '../tour/tour-context';

/** Mutation options that refetch the comments of a revision. Those of the draft also update by subscription. */
export const commentRefetchOptions = (id: string) => ({
  refetchQueries: [{ query: RevisionContent, variables: { id } }],
});

/** Returns the reason if the tour is archived and cannot be commented on. */
export function useArchivedReason(): string | null {
  return useTour().status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null;
}

interface CommentState {
  readonly stepKey: string | null;
  readonly resolvedAt: string | null;
}

export const openStepComments = <Comment extends CommentState>(
  comments: readonly Comment[],
  stepKey: string,
): Comment[] => comments.filter(each => each.stepKey === stepKey && each.resolvedAt === null);

/** Unresolved, on the tour and on removed steps. */
export const openTourComments = <Comment extends CommentState>(
  comments: readonly Comment[],
  keys: readonly string[],
): Comment[] =>
  comments.filter(each => each.resolvedAt === null && (each.stepKey === null || !keys.includes(each.stepKey)));
