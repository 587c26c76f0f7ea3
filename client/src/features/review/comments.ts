/** What the actions of comments have in common. */
import { RevisionContent } from '../../generated/documents/RevisionContent';
import { t as errors } from '../../shared/i18n/en/errors';
import { useTour } from '../tour/tour-context';

/** What shows the comments of a revision anew; the open one's come by the live stream too. */
export const commentRefetchOptions = (id: string) => ({
  refetchQueries: [{ query: RevisionContent, variables: { id } }],
});

/** Why nobody comments any more, if so. */
export function useArchivedReason(): string | null {
  return useTour().status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null;
}

interface CommentState {
  readonly stepKey: string | null;
  readonly resolvedAt: string | null;
}

/** What is said about one step, and not settled yet. */
export const openStepComments = <Comment extends CommentState>(
  comments: readonly Comment[],
  stepKey: string,
): Comment[] => comments.filter(each => each.stepKey === stepKey && each.resolvedAt === null);

/** What is open about the tour as a whole, and about steps that are not among these any more. */
export const openTourComments = <Comment extends CommentState>(
  comments: readonly Comment[],
  keys: readonly string[],
): Comment[] =>
  comments.filter(each => each.resolvedAt === null && (each.stepKey === null || !keys.includes(each.stepKey)));
