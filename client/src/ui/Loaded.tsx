import type { ErrorLike } from '@apollo/client';
import type { ReactNode } from 'react';
import { toAppError } from '../api/errors';
import { ErrorNote, ErrorPanel } from './ErrorPanel';
import { Skeleton } from './Waiting';

/** The three states of a query in one place: what was loaded, that it is coming, or why it did not come. */
export function Loaded<Data>({
  result,
  label,
  rows,
  children,
}: {
  result: { data: Data | undefined; error?: ErrorLike | undefined; refetch: () => Promise<unknown> };
  /** What is being loaded, for those who cannot see the grey boxes. */
  label: string;
  rows?: number;
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
  if (error) return <ErrorPanel error={toAppError(error)} onRetry={retry} />;
  return <Skeleton label={label} {...(rows ? { rows } : {})} />;
}
