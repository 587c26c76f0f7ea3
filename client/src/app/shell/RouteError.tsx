import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { toAppError } from '../../shared/api/app-error';
import { t } from '../../shared/i18n/en/shell';
import { ErrorPanel } from '../../shared/ui/ErrorPanel';
import { PAGE_FRAME } from '../../shared/ui/Page';
import { Skeleton } from '../../shared/ui/Waiting';

/** Surrounding screens stay visible. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className={PAGE_FRAME}>
      <ErrorPanel
        error={toAppError(error)}
        heading="h1"
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={PAGE_FRAME}>
      <Skeleton label={t.frame.loadingPage} rows={4} />
    </div>
  );
}
