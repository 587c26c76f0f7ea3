/** Actions are named as in the API; sentences and changes are in the current language. */
import { Audit } from '../../generated/documents/Audit';
import type { AuditQuery, AuditQueryVariables } from '../../generated/operations';
import { client } from '../../shared/api/client';
import { toCsv } from '../../shared/lib/csv';
import type { ConditionNames } from '../tour/condition-tree';
import { fieldName, sentence, valueName, type Entry } from './entry-text';

const PAGE_SIZE = 200;
/** Bounds the time of an export. */
export const MAX_EXPORTED = 10_000;

export async function loadEntries(
  variables: AuditQueryVariables,
): Promise<{ readonly entries: readonly Entry[]; readonly isComplete: boolean }> {
  const entries: Entry[] = [];
  let after: string | null = null;
  while (entries.length < MAX_EXPORTED) {
    // Each page needs the previous cursor.
    // oxlint-disable-next-line no-await-in-loop
    const { data }: { data?: AuditQuery | undefined } = await client.query({
      query: Audit,
      variables: { ...variables, first: PAGE_SIZE, after },
      fetchPolicy: 'no-cache',
    });
    if (!data) break;
    entries.push(...data.audit.nodes);
    if (!data.audit.pageInfo.hasNextPage) return { entries, isComplete: true };
    after = data.audit.pageInfo.endCursor;
  }
  return { entries, isComplete: false };
}

export const auditCsv = (entries: readonly Entry[], names: ConditionNames): string =>
  toCsv(
    ['at', 'account_id', 'account', 'action', 'subject', 'text', 'changes'],
    entries.map(entry => [
      entry.at,
      entry.by.id,
      entry.by.name,
      entry.action,
      entry.subject,
      `${entry.by.name} ${sentence(entry)}`,
      entry.changes.map(change => formatChange(change, names)).join('; '),
    ]),
  );

const formatChange = ({ field, before, after }: Entry['changes'][number], names: ConditionNames): string =>
  `${fieldName(field)}: ${[...(before === null ? [] : [before]), after].map(value => valueName(field, value, names)).join(' → ')}`;
