import type { VisitorRow_VisitorFragment } from '../../generated/operations';
import { t } from '../i18n/en/visitor';

export const visitorName = ({ externalId, id }: Pick<VisitorRow_VisitorFragment, 'externalId' | 'id'>): string =>
  externalId ?? t.anonymous(id.slice(-6));
