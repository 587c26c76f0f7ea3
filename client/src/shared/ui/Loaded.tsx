import type { ErrorLike } from '@apollo/client';
import type { ReactNode } from 'react';
import { toAppError } from '../api/app-error';
import { ErrorNote, ErrorPanel } from './ErrorPanel';
import { PAGE_FRAME, PartFrame } from './Page';
import { Skeleton } from './Waiting';

/** The three states of a query in one place: what was loaded, that it is coming, or why it did not come. */
export function Loaded<Data>({
  result,
  label,
  rows,
  page = false,
  children,
}: {
  result: { data: Data | undefined; error?: ErrorLike | undefined; refetch: () => Promise<unknown> };
  /** What is being loaded, for those who cannot see the grey boxes. */
  label: string;
  rows?: number;
  /** It stands for a whole page, or for one below a head: with room around, and with its heading when it fails. */
  page?: boolean | 'part';
  children: (data: Data) => ReactNode;
}) {
  const { data, error } = result;
  // The hook reports the failure of a retry itself.
  const retry = () => void result.refetch().catch(() => undefined);
  if (data !== undefined) {
    return (
      <>
        {error ? <ErrorNote error={toAppError(error)} /> : null}
        {children(data)}
      </>
    );
  }
  const instead = error ? (
    <ErrorPanel error={toAppError(error)} heading={page === true ? 'h1' : 'h2'} onRetry={retry} />
  ) : (
    <Skeleton label={label} {...(rows ? { rows } : {})} />
  );
  if (page === 'part') return <PartFrame>{instead}</PartFrame>;
  return page ? <div className={PAGE_FRAME}>{instead}</div> : instead;
}
