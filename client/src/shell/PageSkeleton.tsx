import { t } from '../texts/shell';
import { Skeleton } from '../ui/Waiting';

export function PageSkeleton() {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-9 sm:px-8">
      <Skeleton label={t.frame.loadingPage} rows={4} />
    </div>
  );
}
