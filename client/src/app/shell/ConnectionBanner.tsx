import { useEffect } from 'react';
import { Instance } from '../../generated/documents/Instance';
import { client } from '../../shared/api/client';
import { useConnection } from '../../shared/api/connection';
import { t } from '../../shared/i18n/en/shell';
import { Button } from '../../shared/ui/Button';
import { Icon } from '../../shared/ui/Icon';

const CHECK_INTERVAL_MS = 5000;

/** Sends the cheapest query; its response updates the connection state. */
const check = () => {
  client.query({ query: Instance, fetchPolicy: 'network-only', context: { anonymous: true } }).catch(() => undefined);
};

export function ConnectionBanner() {
  const connection = useConnection();
  const down = connection.state === 'down';
  useEffect(() => {
    if (!down) return undefined;
    const timer = window.setInterval(check, CHECK_INTERVAL_MS);
    window.addEventListener('online', check);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', check);
      // The server is reachable again, so replace cached data.
      client.refetchQueries({ include: 'active' }).catch(() => undefined);
    };
  }, [down]);

  return (
    <div role="status">
      {connection.state === 'down' ? (
        <div className="flex min-h-12 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-signal bg-signal-soft px-4 py-1.5 text-sm text-signal-ink">
          <span className="flex items-center gap-x-3">
            <Icon name="offline" className="size-4 shrink-0" />
            <span>
              <strong className="font-semibold">{connection.error.message}</strong> {t.frame.changesKept}
            </span>
          </span>
          <Button size="small" onClick={check}>
            {t.frame.tryNow}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
