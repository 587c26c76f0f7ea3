/** One sentence about what went wrong, read out at once. */
import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon';

export function ProblemNote({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="flex gap-2.5 rounded-control border border-danger/40 bg-danger-soft px-3 py-2.5">
      <Icon name="warning" className="mt-0.5 size-5 text-danger" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
