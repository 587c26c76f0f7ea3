import { useState } from 'react';
import { toAppError, type AppError } from '../api/app-error';
import { t } from '../i18n/en/ui';
import { Button } from './Button';
import { ErrorNote } from './ErrorPanel';

export function MoreButton({ onMore }: { onMore: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  return (
    <div className="grid justify-items-center gap-3">
      {error ? <ErrorNote error={error} /> : null}
      <Button
        busy={busy}
        onClick={async () => {
          setBusy(true);
          setError(null);
          try {
            await onMore();
          } catch (failure) {
            setError(toAppError(failure));
          }
          setBusy(false);
        }}
      >
        {t.showMore}
      </Button>
    </div>
  );
}
