import { useViewerQuery } from '../generated/hooks';
import { t } from '../texts/participant';
import { Badge } from '../ui/Badge';

/** Says whose test participant somebody is. */
export function TesterBadge({ tester }: { tester: { id: string; name: string } | null }) {
  const me = useViewerQuery().data?.viewer.account.id;
  if (!tester) return null;
  return <Badge tone={tester.id === me ? 'brand' : 'plain'}>{tester.id === me ? t.you : t.testedBy(tester.name)}</Badge>;
}
