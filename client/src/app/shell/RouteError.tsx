import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { toAppError } from '../../shared/api/errors';
import { ErrorPanel } from '../../shared/ui/ErrorPanel';
import { PAGE_FRAME } from '../../shared/ui/Page';

/** The error boundary of every route: the screens around it stay, and the failure says which class it is of. */
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
