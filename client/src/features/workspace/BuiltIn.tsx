import type { ReactNode } from 'react';
import { t } from '../../shared/i18n/en/ui';
import { Icon } from '../../shared/ui/Icon';

/** Hides what concerns Waypost's own site, which most workspaces never use. */
export function BuiltIn({ open = false, children }: { open?: boolean; children: ReactNode }) {
  return (
    <details className="group" open={open}>
      <summary className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 text-sm font-medium text-muted hover:text-ink">
        <Icon name="right" className="size-4 transition-transform group-open:rotate-90" />
        {t.builtIn}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
