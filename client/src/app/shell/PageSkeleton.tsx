import { t } from '../../shared/i18n/en/shell';
import { PAGE_FRAME } from '../../shared/ui/Page';
import { Skeleton } from '../../shared/ui/Waiting';

export function PageSkeleton() {
  return (
    <div className={PAGE_FRAME}>
      <Skeleton label={t.frame.loadingPage} rows={4} />
    </div>
  );
}
