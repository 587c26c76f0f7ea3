import type { ParticipantRow_ParticipantFragment } from '../../generated/operations';
import { t } from '../i18n/en/visitor';

/** What the site calls somebody; those it has no name for are told apart by the end of their id. */
export const visitorName = ({
  externalId,
  id,
}: Pick<ParticipantRow_ParticipantFragment, 'externalId' | 'id'>): string => externalId ?? t.anonymous(id.slice(-6));
