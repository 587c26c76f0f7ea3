import { t } from '../texts/shell';
import { PAGE_FRAME } from '../ui/Page';
import { Skeleton } from '../ui/Waiting';

export function PageSkeleton() {
  return (
    <div className={PAGE_FRAME}>
      <Skeleton label={t.frame.loadingPage} rows={4} />
    </div>
  );
}
