import { t } from '../../shared/i18n/en/visitor';
import { Badge } from '../../shared/ui/Badge';
import { useAccountId } from '../workspace/workspace-context';

/** Shows which account uses the visitor as its test user. */
export function TestUserBadge({ tester }: { tester: { id: string; name: string } | null }) {
  const me = useAccountId();
  if (!tester) return null;
  return (
    <Badge tone={tester.id === me ? 'brand' : 'plain'}>{tester.id === me ? t.you : t.testedBy(tester.name)}</Badge>
  );
}
