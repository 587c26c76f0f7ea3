import type { ReactNode } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { Icon } from '../../../shared/ui/Icon';

interface Props {
  children: ReactNode;
  /** The cause for the operator, without secrets. */
  cause?: string | undefined;
}

export function ProblemNote({ children, cause }: Props) {
  return (
    <div className="rounded-control border border-danger/40 bg-danger-soft px-3 py-2.5">
      <p role="alert" className="flex gap-2.5">
        <Icon name="warning" className="mt-0.5 size-5 text-danger" />
        <span className="min-w-0 break-words">{children}</span>
      </p>
      {cause ? <Details>{cause}</Details> : null}
    </div>
  );
}

export function Details({ children }: { children: ReactNode }) {
  return (
    <details className="mt-2 text-sm">
      <summary>{t.page.details}</summary>
      <code className="mt-1 block break-words whitespace-pre-wrap">{children}</code>
    </details>
  );
}
