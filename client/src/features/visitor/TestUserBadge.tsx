import { t } from '../../shared/i18n/en/visitor';
import { Badge } from '../../shared/ui/Badge';
import { useAccountId } from '../workspace/workspace-context';

export function TestUserBadge({ tester }: { tester: { id: string; name: string } | null }) {
  const me = useAccountId();
  if (!tester) return null;
  return (
    <Badge tone={tester.id === me ? 'brand' : 'plain'}>{tester.id === me ? t.you : t.testedBy(tester.name)}</Badge>
  );
}
