import { Skeleton } from '../ui/Waiting';

export function PageSkeleton() {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-9 sm:px-8">
      <Skeleton label="Loading the page" rows={4} />
    </div>
  );
}
