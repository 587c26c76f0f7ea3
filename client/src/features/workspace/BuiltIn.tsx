import type { ReactNode } from 'react';
import { t } from '../../shared/i18n/en/ui';

/** Hides what concerns Waypost's own site, which most workspaces never use. */
export function BuiltIn({ open = false, children }: { open?: boolean; children: ReactNode }) {
  return (
    <details open={open}>
      <summary className="inline-flex min-h-8 text-sm font-medium text-muted hover:text-ink">{t.builtIn}</summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
