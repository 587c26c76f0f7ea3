import type { VisitorRow_VisitorFragment } from '../../generated/operations';
import { t } from '../i18n/en/visitor';

/** Returns the external id of a visitor. Anonymous visitors are named by the last characters of their id. */
export const visitorName = ({ externalId, id }: Pick<VisitorRow_VisitorFragment, 'externalId' | 'id'>): string =>
  externalId ?? t.anonymous(id.slice(-6));
