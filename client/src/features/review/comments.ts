/** What the actions of comments have in common. */
import { RevisionContent } from '../../generated/documents/RevisionContent';
import { t as errors } from '../../shared/i18n/en/errors';
import { useTour } from '../tour/tour-context';

/** What shows the comments of a revision anew; the open one's come by the live stream too. */
export const commentsAgain = (id: string) => ({ refetchQueries: [{ query: RevisionContent, variables: { id } }] });

/** Why nobody comments any more, if so. */
export function useArchived(): string | null {
  return useTour().status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null;
}
