import type { ErrorLike } from '@apollo/client';
import type { ReactNode } from 'react';
import { toAppError } from '../api/app-error';
import { ErrorNote, ErrorPanel } from './ErrorPanel';
import { PAGE_FRAME, PartFrame } from './Page';
import { Skeleton } from './Waiting';

export function Loaded<Data>({
  result,
  label,
  rows,
  page = false,
  children,
}: {
  result: { data: Data | undefined; error?: ErrorLike | undefined; refetch: () => Promise<unknown> };
  label: string;
  rows?: number;
  /** `part` is a page below a header. Adds the frame and the heading of an error. */
  page?: boolean | 'part';
  children: (data: Data) => ReactNode;
}) {
  const { data, error } = result;
  // The hook returns the error.
  const retry = () => void result.refetch().catch(() => undefined);
  if (data !== undefined) {
    return (
      <>
        {error ? <ErrorNote error={toAppError(error)} /> : null}
        {children(data)}
      </>
    );
  }
  const placeholder = error ? (
    <ErrorPanel error={toAppError(error)} heading={page === true ? 'h1' : 'h2'} onRetry={retry} />
  ) : (
    <Skeleton label={label} {...(rows ? { rows } : {})} />
  );
  if (page === 'part') return <PartFrame>{placeholder}</PartFrame>;
  return page ? <div className={PAGE_FRAME}>{placeholder}</div> : placeholder;
}
