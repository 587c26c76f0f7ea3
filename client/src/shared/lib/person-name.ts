import type { ParticipantRow_ParticipantFragment } from '../../generated/operations';
import { t } from '../i18n/en/participant';

/** What the site calls somebody; those it has no name for are told apart by the end of their id. */
export const personName = ({ externalId, id }: Pick<ParticipantRow_ParticipantFragment, 'externalId' | 'id'>): string =>
  externalId ?? t.anonymous(id.slice(-6));
