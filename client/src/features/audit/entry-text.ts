/** A sentence, and the changes that it does not mention. */
import type { AuditQuery } from '../../generated/operations';
import { t, type EntryValues } from '../../shared/i18n/en/audit';
import { t as common } from '../../shared/i18n/en/common';
import { formatDateTime, formatPercent } from '../../shared/i18n/format';
import { formatCondition, noNames, storedCondition, type ConditionNames } from '../tour/condition-tree';

export type Entry = AuditQuery['audit']['nodes'][number];
type Change = Entry['changes'][number];

/** Mentioned or implied by the sentence. */
const inSentence = new Map<string, readonly string[]>(
  Object.entries({
    'comment.delete': ['commentBy'],
    'comment.reply.delete': ['commentBy'],
    'identity.create': ['algorithm'],
    'identity.revoke': ['algorithm'],
    'invitation.accept': ['role'],
    'invitation.create': ['role'],
    'invitation.renew': ['expiresAt'],
    'invitation.revoke': ['role'],
    'member.claim': ['role'],
    'member.first': ['role'],
    'member.leave': ['role'],
    'release.adjust': ['site'],
    'release.end': ['site', 'state'],
    'release.pause': ['site', 'state'],
    'release.resume': ['site', 'state'],
    'release.rollback': ['site', 'revision'],
    'revision.return': ['revision'],
    'revision.submit': ['revision', 'reviewer'],
    'theme.default': ['default'],
    'token.create': ['role', 'expiresAt'],
    'token.revoke': ['role'],
    'tour.duplicate': ['from'],
    'tour.release': ['revision', 'sites'],
    'tour.rename': ['title'],
    'visitor.purge': ['visitors'],
    'visitor.reset': ['tour'],
    'visitor.tester': ['tester'],
    'workspace.rename': ['name'],
    'workspace.review': ['reviewRequired'],
  }),
);

/** Mentioned by the sentence if nothing else changed. */
const inSentenceAlone = new Map([['site.update', 'identityMode']]);

export type Action = keyof typeof t.sentences;

export const isAction = (action: string): action is Action => isIn(t.sentences, action);

/** Omits the account that made the change. Unknown actions, from other versions, are named. */
export function sentence({ action, subject, changes }: Omit<Entry, 'id' | 'at' | 'by'>): string {
  if (!isAction(action)) return `${action} ${common.quoted(subject)}`;
  const find = (field: string) => changes.find(change => change.field === field);
  const text = (field: string, value: string | null | undefined) => (value ? valueName(field, value) : null);
  const values: EntryValues = {
    subject: shownSubject({ action, subject }),
    before: field => text(field, find(field)?.before),
    after: field => text(field, find(field)?.after),
    afterOnly: field => (changes.length === 1 ? text(field, find(field)?.after) : null),
    isSet: field => find(field)?.after === 'true',
  };
  return t.sentences[action](values);
}

/** Visitors are shown by the last characters of their id. */
export const shownSubject = ({ action, subject }: Pick<Entry, 'action' | 'subject'>): string =>
  isAction(action) && isVisitorId(action) ? `…${subject.slice(-6)}` : subject;

const isVisitorId = (action: Action): boolean => action.startsWith('visitor.') && action !== 'visitor.purge';

export const details = ({ action, changes }: Pick<Entry, 'action' | 'changes'>): Change[] =>
  changes.filter(({ field }) => {
    const isAlone = changes.length === 1 && inSentenceAlone.get(action) === field;
    return !isAlone && !inSentence.get(action)?.includes(field);
  });

export const fieldName = (field: string): string => (isIn(t.fields, field) ? t.fields[field] : field);

const PERCENTAGES: ReadonlySet<string> = new Set(['rolloutPercent', 'holdoutPercent']);

/** Settings whose values are shares between 0 and 1. */
const SHARES: ReadonlySet<string> = new Set(['overlayOpacity']);

const TIMES: ReadonlySet<string> = new Set(['startsAt', 'endsAt', 'expiresAt', 'firstSeenFrom', 'firstSeenUntil']);

export function valueName(field: string, value: string | null, names: ConditionNames = noNames): string {
  if (value === null) return '–';
  if (field === 'role' && isIn(common.roles.names, value)) return common.roles.names[value];
  if (field === 'when') return formatStored(value, names);
  if (PERCENTAGES.has(field) && /^\d+$/.test(value)) return formatPercent(Number(value) / 100);
  if (SHARES.has(field) && /^[\d.]+$/.test(value)) return formatPercent(Number(value));
  const words = isIn(t.values, field) ? (t.values[field] ?? {}) : {};
  if (isIn(words, value)) return words[value] ?? value;
  return TIMES.has(field) && !Number.isNaN(Date.parse(value)) ? formatDateTime(value) : value;
}

/** An entry has the ids of tours and segments, without their names. */
function formatStored(value: string, names: ConditionNames): string {
  try {
    const condition = storedCondition(JSON.parse(value));
    return condition ? formatCondition(condition, names) : value;
  } catch {
    return value;
  }
}

const isIn = <Words extends object>(words: Words, key: PropertyKey): key is keyof Words => Object.hasOwn(words, key);
