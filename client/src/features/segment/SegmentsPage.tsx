import { Link } from '@tanstack/react-router';
import { MutationSegmentCreate } from '../../generated/fields';
import { useSegmentsQuery } from '../../generated/hooks';
import type { SegmentsQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/segment';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { Page } from '../../shared/ui/Page';
import { useConditionNames } from '../tour/condition-names';
import { formatCondition } from '../tour/condition-tree';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { NEW } from './SegmentPage';

type ListedSegment = NonNullable<SegmentsQuery['workspace']>['segments'][number];

export function SegmentsPage() {
  usePageTitle(t.list.title);
  const { slug } = useWorkspace();
  const result = useSegmentsQuery({ variables: { slug }, fetchPolicy: 'cache-and-network' });
  const create = <CreateLink />;
  return (
    <Page title={t.list.title} description={t.list.description} actions={create}>
      <Loaded result={result} label={t.list.loading}>
        {({ workspace }) =>
          !workspace ? (
            <NotFound thing="workspace" />
          ) : workspace.segments.length === 0 ? (
            <EmptyState title={t.list.empty} action={create}>
              {t.list.emptyText}
            </EmptyState>
          ) : (
            <SegmentList segments={workspace.segments} />
          )
        }
      </Loaded>
    </Page>
  );
}

function CreateLink() {
  const { slug } = useWorkspace();
  const reason = useReason()(MutationSegmentCreate);
  return reason === null ? (
    <Link to={paths.segment} params={{ workspace: slug, segment: NEW }} className={buttonStyle('primary')}>
      {t.list.new}
    </Link>
  ) : (
    <Button variant="primary" reason={reason}>
      {t.list.new}
    </Button>
  );
}

function SegmentList({ segments }: { segments: readonly ListedSegment[] }) {
  const { slug } = useWorkspace();
  const names = useConditionNames();
  return (
    <ul
      aria-label={t.list.title}
      className="grid overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      {segments.map(({ id, name, when, tours }) => (
        <li key={id} className="border-b border-line last:border-b-0">
          <Link
            to={paths.segment}
            params={{ workspace: slug, segment: id }}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken/60 focus-visible:-outline-offset-2"
          >
            <span className="min-w-0">
              <span className="block font-medium break-words">{name}</span>
              <span className="block text-sm break-words text-muted">{formatCondition(when, names)}</span>
            </span>
            <span className="text-sm text-muted">
              {tours.length === 0 ? t.list.unused : t.list.usedBy(tours.length)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
