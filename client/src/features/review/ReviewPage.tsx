import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTourRevisionsQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/review';
import { usePageTitle } from '../../shared/lib/hooks';
import { routeIds } from '../../shared/lib/paths';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { PartPage } from '../../shared/ui/Page';
import { defaultSince } from '../tour/last-review';
import { useTour } from '../tour/tour-context';
import { useWorkspace } from '../workspace/workspace-context';
import { ChangesPanel } from './ChangesPanel';
import { CommentsPanel } from './CommentsPanel';
import { HistoryPanel } from './HistoryPanel';
import { ReviewPanel } from './ReviewPanel';
import type { TourWithRevisions } from './use-revision-content';

export function ReviewPage() {
  const workspace = useWorkspace();
  const { slug, draft } = useTour();
  const result = useTourRevisionsQuery({ variables: { workspaceId: workspace.id, slug } });
  const { refetch } = result;
  // A release creates a new draft, which the subscription reports.
  const newest = result.data?.tourBySlug?.revisions.nodes[0]?.id;
  const outdated = newest !== undefined && newest !== draft.id;
  useEffect(() => {
    if (outdated) refetch().catch(() => undefined);
  }, [outdated, refetch]);
  return (
    <Loaded result={result} label={t.page.loading} page="part">
      {({ tourBySlug: tour }) =>
        tour ? (
          <Review
            tour={tour}
            onMore={() => result.fetchMore({ variables: { after: tour.revisions.pageInfo.endCursor } })}
          />
        ) : (
          <NotFound thing="tour" />
        )
      }
    </Loaded>
  );
}

function Review({ tour, onMore }: { tour: TourWithRevisions; onMore: () => Promise<unknown> }) {
  usePageTitle(`${t.page.title} · ${tour.title}`);
  const search = useSearch({ from: routeIds.revisions });
  const { nodes } = tour.revisions;
  const to = nodes.find(each => each.number === search.at) ?? nodes[0];
  return (
    <PartPage title={t.page.title} description={t.page.description}>
      <ReviewPanel releases={tour.releases} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        {to ? <ChangesPanel key={tour.id} revisions={nodes} from={search.since ?? defaultSince(to)} to={to} /> : null}
        <div className="xl:col-start-2 xl:row-span-2 xl:row-start-1">
          {to ? <CommentsPanel key={to.id} revision={to} /> : null}
        </div>
        <HistoryPanel tour={tour} onMore={onMore} />
      </div>
    </PartPage>
  );
}
