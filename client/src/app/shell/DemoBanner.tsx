import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Instance } from '../../generated/documents/Instance';
import { client } from '../../shared/api/client';
import { useConnection } from '../../shared/api/connection';
import { t } from '../../shared/i18n/en/shell';
import { paths } from '../../shared/lib/paths';

/** Shown on each page of a demo, except on the demo page, which visitors of a site see. */
export function DemoBanner() {
  const { pathname } = useLocation();
  const isForVisitors = pathname.startsWith(paths.play);
  const isConnected = useConnection().state !== 'down';
  const [isDemo, setIsDemo] = useState(false);
  useEffect(() => {
    if (isForVisitors || !isConnected) return;
    // Once, because an active query would be repeated with each focus.
    client.query({ query: Instance, context: { anonymous: true } }).then(
      ({ data }) => setIsDemo(data?.instance.demo ?? false),
      () => undefined,
    );
  }, [isForVisitors, isConnected]);

  return isDemo && !isForVisitors ? (
    <aside
      aria-label={t.demo.label}
      className="flex min-h-8 items-center justify-center border-b border-signal bg-signal-soft px-4 py-1 text-center text-xs text-signal-ink"
    >
      {t.demo.text}
    </aside>
  ) : null;
}
