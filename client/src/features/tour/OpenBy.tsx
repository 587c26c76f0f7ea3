import { useEffect } from 'react';
import { TourReportOpen } from '../../generated/documents/TourReportOpen';
import { client } from '../../shared/api/client';
import { t } from '../../shared/i18n/en/tour';
import { useVisible } from '../../shared/lib/hooks';
import { useAccountId } from '../workspace/workspace-context';
import type { TourWithDraft } from './tour-context';

/** The server removes a member who has not reported for 12 seconds. */
const REPORT_INTERVAL_MS = 5000;

/** Initials beyond these would not fit into the header. The text lists all names. */
const MAX_AVATARS = 3;

/** Shows which other members have the tour open, and reports to them that this page has, too. */
export function OpenBy({ tour }: { tour: TourWithDraft }) {
  const visible = useVisible();
  const accountId = useAccountId();
  const { id } = tour;
  useEffect(() => {
    if (!visible) return undefined;
    const report = () => {
      // A lost report is repeated. The page shows connection problems elsewhere.
      client.mutate({ mutation: TourReportOpen, variables: { id } }).catch(() => undefined);
    };
    report();
    const timer = setInterval(report, REPORT_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [visible, id]);
  const others = tour.openBy.filter(account => account.id !== accountId);
  return (
    <span data-open-by="" role="status" className="inline-flex min-w-0 items-center gap-2 text-sm text-muted">
      {others.length > 0 ? (
        <>
          <span aria-hidden="true" className="flex -space-x-1.5">
            {others.slice(0, MAX_AVATARS).map(account => (
              <span
                key={account.id}
                className="grid size-6 place-items-center rounded-full bg-brand text-[0.625rem] font-semibold text-on-brand ring-2 ring-surface"
              >
                {initialsOf(account.name)}
              </span>
            ))}
          </span>
          <span className="min-w-0 break-words">{t.frame.openBy(others.map(({ name }) => name))}</span>
        </>
      ) : null}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter(Boolean);
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return [first, last]
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
