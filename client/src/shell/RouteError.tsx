import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { toAppError } from '../api/errors';
import { ErrorPanel } from '../ui/ErrorPanel';

/** The error boundary of every route: the screens around it stay, and the failure says which class it is of. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10">
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
