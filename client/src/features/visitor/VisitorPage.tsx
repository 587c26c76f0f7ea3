import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  MutationVisitorErase,
  MutationVisitorExport,
  MutationVisitorReset,
  MutationVisitorTesterSet,
} from '../../generated/fields';
import {
  useTourChoicesQuery,
  useToursQuery,
  useVisitorChangedSubscription,
  useVisitorEraseMutation,
  useVisitorExportMutation,
  useVisitorResetMutation,
  useVisitorTesterSetMutation,
  useVisitorTimelineQuery,
} from '../../generated/hooks';
import type { VisitorTimelineQuery } from '../../generated/operations';
import { evictQuery } from '../../shared/api/cache';
import { client } from '../../shared/api/client';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/visitor';
import { formatAgo } from '../../shared/i18n/format';
import { download } from '../../shared/lib/download';
import { useNow, usePageTitle, useVisible } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { CopyButton } from '../../shared/ui/CopyButton';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { BackLink, Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import type { TourChoice } from '../tour/tour-choices';
import { useAccountId, useReason, useWorkspace } from '../workspace/workspace-context';
import { defaultPage } from './defaults';
import { ExplainPanel } from './ExplainPanel';
import { RunTimeline } from './RunTimeline';
import { TestUserBadge } from './TestUserBadge';

type Visitor = NonNullable<VisitorTimelineQuery['visitor']>;

export function VisitorPage() {
  const { visitor: id } = useParams({ from: routeIds.visitor });
  const result = useVisitorTimelineQuery({ variables: { id }, fetchPolicy: 'cache-and-network' });
  const more = (after: string | null) => result.fetchMore({ variables: { after } });
  return (
    <Loaded result={result} label={t.loadingOne} page>
      {({ visitor }) =>
        visitor ? <VisitorScreen key={visitor.id} visitor={visitor} onMore={more} /> : <NotFound thing="page" />
      }
    </Loaded>
  );
}

function VisitorScreen({ visitor, onMore }: { visitor: Visitor; onMore: (after: string | null) => Promise<unknown> }) {
  const { slug, sites } = useWorkspace();
  const now = useNow();
  const name = visitorName(visitor);
  usePageTitle(name);
  // Updates the timeline.
  useVisitorChangedSubscription({ variables: { id: visitor.id }, skip: !useVisible() });
  const { page, run = null, tour: tourSlug = null } = useSearch({ from: routeIds.visitor });
  const { nodes, pageInfo } = visitor.runs;
  const nextPage = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  const selectedRun = nodes.find(({ id }) => id === run);
  const isRunLoaded = selectedRun !== undefined;
  const lastTour = (selectedRun ?? nodes[0])?.tour ?? null;
  const liveTour = useLiveTour(visitor.site.id, lastTour !== null);
  const tour = useTourBySlug(tourSlug) ?? lastTour ?? liveTour;
  const loadNext = useEffectEvent(() => void onMore(nextPage).catch(() => undefined));
  // Most visitors have one page of runs.
  useEffect(() => {
    if (run !== null && !isRunLoaded && nextPage !== null) loadNext();
  }, [run, isRunLoaded, nextPage]);
  return (
    <Page
      above={
        <BackLink to={paths.visitors} params={{ workspace: slug }} search={{ site: visitor.site.id }}>
          {t.title}
        </BackLink>
      }
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {name}
          {visitor.verified ? <Badge tone="ok">{t.verified}</Badge> : null}
        </span>
      }
      description={
        <>
          {visitor.site.name} · {t.lastSeen(formatAgo(visitor.lastSeenAt, now))} ·{' '}
          {t.firstSeen(formatAgo(visitor.firstSeenAt, now))}
          {visitor.locale ? ` · ${visitor.locale}` : ''}
        </>
      }
      actions={
        <>
          <ExportButton visitor={visitor} />
          <EraseButton visitor={visitor} />
        </>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 break-all">
        <dt className="text-muted">{t.id}</dt>
        <dd className="flex flex-wrap items-center gap-x-3">
          <code>{visitor.id}</code>
          <CopyButton text={visitor.id} label={t.copyId} />
        </dd>
        {visitor.browsers.length > 0 ? (
          <>
            <dt className="text-muted">{t.browsers(visitor.browsers.length)}</dt>
            <dd>
              <code>{visitor.browsers.join(' ')}</code>
            </dd>
          </>
        ) : null}
        {visitor.traits.length > 0 ? (
          <>
            <dt className="text-muted">{t.traits}</dt>
            <dd className="flex flex-wrap gap-x-4 gap-y-1">
              {visitor.traits.map(({ key, value, signed }) => (
                <span key={key}>
                  <code>{key}</code>: {value}
                  {signed ? <span className="text-muted"> ({t.signed})</span> : null}
                </span>
              ))}
            </dd>
          </>
        ) : null}
        {visitor.lastPage ? (
          <>
            <dt className="text-muted">{t.lastPage}</dt>
            <dd>{visitor.lastPage}</dd>
          </>
        ) : null}
      </dl>
      <Panel title={t.timeline} description={t.timelineText}>
        {nodes.length === 0 ? (
          <p className="text-muted">{t.noRuns}</p>
        ) : (
          <div className="grid gap-3">
            <RunTimeline runs={nodes} selected={run} />
            {pageInfo.hasNextPage ? <MoreButton onMore={() => onMore(pageInfo.endCursor)} /> : null}
          </div>
        )}
      </Panel>
      <ExplainPanel
        visitorId={visitor.id}
        siteId={visitor.site.id}
        tour={tour}
        page={
          page ??
          visitor.lastPage ??
          defaultPage(
            visitor.site.origins,
            sites.some(({ id, own }) => own && id === visitor.site.id),
          )
        }
      />
      <Testing visitor={visitor} />
    </Page>
  );
}

/** The tour whose page led to the visitors. */
function useTourBySlug(slug: string | null): TourChoice | null {
  const { id } = useWorkspace();
  const { data } = useTourChoicesQuery({ variables: { workspaceId: id, search: slug }, skip: slug === null });
  return data?.tours.nodes.find(each => each.slug === slug) ?? null;
}

/** A tour that the visitor could see, because one without runs may have seen none. */
function useLiveTour(siteId: string, skip: boolean): TourChoice | null {
  const { id } = useWorkspace();
  const { data } = useToursQuery({ variables: { workspaceId: id, siteId, status: 'LIVE', first: 1 }, skip });
  return data?.tours.nodes[0] ?? null;
}

function Testing({ visitor }: { visitor: Visitor }) {
  const me = useAccountId();
  const reasonFor = useReason();
  const [set, setting] = useVisitorTesterSetMutation();
  const [reset, resetting] = useVisitorResetMutation();
  const own = visitor.tester !== null && visitor.tester.id === me;
  const otherTester = visitor.tester !== null && !own ? t.testedBy(visitor.tester.name) : null;
  return (
    <Panel title={t.testing} description={t.testingText} actions={<TestUserBadge tester={visitor.tester} />}>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={setting.loading}
          reason={reasonFor(MutationVisitorTesterSet) ?? otherTester}
          onClick={async () => {
            const outcome = await runMutation(set({ variables: { id: visitor.id, tester: !own } }));
            if (outcome.ok) toast(own ? t.testUserRemoved : t.testUserMade);
            else toast(outcome.error.message, { tone: 'danger' });
          }}
        >
          {own ? t.removeTestUser : t.makeTestUser}
        </Button>
        <Button
          icon="undo"
          busy={resetting.loading}
          reason={reasonFor(MutationVisitorReset) ?? otherTester ?? (own ? null : t.resetFirst)}
          onClick={async () => {
            const outcome = await runMutation(reset({ variables: { id: visitor.id } }));
            if (outcome.ok) toast(t.resetDone);
            else toast(outcome.error.message, { tone: 'danger' });
          }}
        >
          {t.reset}
        </Button>
      </div>
    </Panel>
  );
}

/** Downloads everything that is stored about the visitor. */
function ExportButton({ visitor }: { visitor: Visitor }) {
  const [run, { loading }] = useVisitorExportMutation();
  return (
    <Button
      busy={loading}
      reason={useReason()(MutationVisitorExport)}
      onClick={async () => {
        const outcome = await runMutation(run({ variables: { id: visitor.id } }));
        if (outcome.ok) download(`visitor-${visitor.id}.json`, outcome.data.visitorExport, 'application/json');
        else toast(outcome.error.message, { tone: 'danger' });
      }}
    >
      {t.exportData}
    </Button>
  );
}

function EraseButton({ visitor }: { visitor: Visitor }) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const [erase] = useVisitorEraseMutation();
  return (
    <>
      <Button icon="trash" reason={useReason()(MutationVisitorErase)} onClick={() => setConfirming(true)}>
        {t.erase}
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.eraseTitle}
        action={t.eraseAction}
        onConfirm={async () => {
          const outcome = await runMutation(erase({ variables: { id: visitor.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.erased);
          await navigate({
            to: paths.visitors,
            params: { workspace: slug },
            search: { site: visitor.site.id },
            replace: true,
          });
          evictQuery(client.cache, 'visitors');
          return null;
        }}
      >
        {t.eraseText}
      </Confirm>
    </>
  );
}
