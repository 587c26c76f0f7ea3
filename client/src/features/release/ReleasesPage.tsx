import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { MutationRevisionSubmit, MutationTourRelease } from '../../generated/fields';
import { useTourReleasesQuery } from '../../generated/hooks';
import type { ReleaseRow_ReleaseFragment as Release, TourReleasesQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/release';
import { t as review } from '../../shared/i18n/en/review';
import { t as visitorTexts } from '../../shared/i18n/en/visitor';
import { formatDateTime } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { Badge, StatusDot } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { buttonStyle } from '../../shared/ui/button-style';
import { Panel } from '../../shared/ui/Card';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { PartPage } from '../../shared/ui/Page';
import { useReviewReason } from '../review/release-reason';
import { DemoLink, isDemoAllowed } from '../site/DemoLink';
import { InstallStatus } from '../site/InstallStatus';
import { awaitsInstallation, isNotInstalled } from '../tour/awaits-installation';
import {
  isAdjustment,
  isReplaced,
  isScheduled,
  releasesBySite,
  rollbackChoices,
  type SiteReleases,
} from '../tour/site-releases';
import { useTour } from '../tour/tour-context';
import { BuiltIn } from '../workspace/BuiltIn';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { formatReleaseState } from './format-release';
import { AdjustButton, EndButton, PauseButton, ResumeButton, RollbackButton } from './release-actions';
import { ReleaseDialog } from './ReleaseDialog';
import { formatTerms } from './terms';

type Tour = NonNullable<TourReleasesQuery['tourBySlug']>;

export function ReleasesPage() {
  const workspace = useWorkspace();
  const { slug } = useTour();
  const result = useTourReleasesQuery({ variables: { workspaceId: workspace.id, slug } });
  return (
    <Loaded result={result} label={t.page.loading} page="part">
      {({ tourBySlug }) => (tourBySlug ? <Releases tour={tourBySlug} /> : <NotFound thing="tour" />)}
    </Loaded>
  );
}

function Releases({ tour }: { tour: Tour }) {
  const { slug: workspace, sample } = useWorkspace();
  const { release: releasing = false } = useSearch({ from: routeIds.releases });
  const navigate = useNavigate();
  const setReleasing = (open: boolean) =>
    // Relative, so that a pending release does not navigate back.
    void navigate({
      to: '.',
      search: ({ release: _, ...rest }) => (open ? { ...rest, release: true } : rest),
      replace: true,
      resetScroll: false,
    });
  const reasonFor = useReason();
  const roleReason = reasonFor(MutationTourRelease);
  const reviewReason = useReviewReason();
  const { sites } = tour.workspace;
  const now = useNow();
  const blockedReason = tour.status === 'ARCHIVED' ? t.page.archived : sites.length === 0 ? t.page.siteFirst : null;
  const reason = roleReason ?? blockedReason ?? reviewReason(tour);
  const canRequestReview =
    reason !== null &&
    blockedReason === null &&
    tour.draft.state === 'DRAFT' &&
    tour.hasUnreleasedChanges &&
    reasonFor(MutationRevisionSubmit) === null;
  const releases = releasesBySite(sites, tour.releases, now);
  const builtIn = releases.filter(({ site }) => site.own);
  const panel = (each: SiteReleases) => <SitePanel key={each.site.id} releases={each} />;
  return (
    <PartPage
      title={t.page.title}
      description={
        <>
          {formatReleaseState(tour, awaitsInstallation(tour.open, { sites, sample }))} {reason}{' '}
          {canRequestReview ? (
            <Link
              to={paths.revisions}
              params={{ workspace, tour: tour.slug }}
              className="font-medium text-ink underline underline-offset-2"
            >
              {review.panel.request}
            </Link>
          ) : null}
        </>
      }
      actions={
        <Button
          variant="primary"
          icon="release"
          data-tour="tour-release"
          reason={reason}
          onClick={() => setReleasing(true)}
        >
          {t.page.release}
        </Button>
      }
    >
      {sites.length === 0 ? (
        <EmptyState
          title={t.page.noSite}
          action={
            <Link to={paths.sites} params={{ workspace }} className={buttonStyle('primary')}>
              {t.page.toSites}
            </Link>
          }
        >
          {t.page.noSiteText}
        </EmptyState>
      ) : (
        <>
          {releases.filter(({ site }) => !site.own).map(panel)}
          {builtIn.length > 0 ? (
            <BuiltIn open={builtIn.some(({ open }) => open !== null)}>
              <div className="grid gap-6">{builtIn.map(panel)}</div>
            </BuiltIn>
          ) : null}
        </>
      )}
      <ReleaseDialog tour={tour} open={releasing && reason === null} onOpenChange={setReleasing} />
    </PartPage>
  );
}

/** Leads from a release to the page where the author can take the tour. */
function PageLink({ page, siteId }: { page: string; siteId: string }) {
  const { slug: workspace } = useWorkspace();
  const { slug: tour } = useTour();
  return (
    <>
      <a href={page} target="_blank" rel="noreferrer" className={buttonStyle('secondary', 'small')}>
        {t.page.openPage}
      </a>
      <p className="text-sm text-muted">
        {t.page.seeAgain(
          <Link to={paths.visitors} params={{ workspace }} search={{ site: siteId, tour }} className="underline">
            {visitorTexts.title}
          </Link>,
        )}
      </p>
    </>
  );
}

function SitePanel({ releases: { site, open, history, previous } }: { releases: SiteReleases }) {
  const { sites, sample } = useWorkspace();
  const workspaceSite = sites.find(each => each.id === site.id);
  const now = useNow();
  const isWaiting = open?.state === 'LIVE' && !isScheduled(open, now) && isNotInstalled(site, sample);
  return (
    <Panel
      title={site.name}
      description={isWaiting ? <StatusDot tone="plain">{t.page.firstPage}</StatusDot> : <InstallStatus site={site} />}
      actions={
        open ? (
          <div className="flex flex-wrap gap-2">
            <RollbackButton
              open={open}
              history={history}
              target={previous ?? rollbackChoices(open, history)[0] ?? null}
            />
            {open.state === 'PAUSED' ? <ResumeButton open={open} /> : <PauseButton open={open} />}
            <AdjustButton open={open} />
            <EndButton open={open} />
          </div>
        ) : null
      }
    >
      {open ? (
        <div className="grid justify-items-start gap-3">
          <OpenRelease release={open} isWaiting={isWaiting} />
          {workspaceSite && !workspaceSite.own && open.state === 'LIVE' && isDemoAllowed(workspaceSite) ? (
            <DemoLink site={workspaceSite} />
          ) : null}
          {site.lastPage && !site.own && open.state === 'LIVE' ? (
            <PageLink page={site.lastPage} siteId={site.id} />
          ) : null}
        </div>
      ) : (
        <p className="text-muted">{history.length > 0 ? t.page.notLive : t.page.notReleased}</p>
      )}
      {history.length > 0 ? (
        <details className="mt-4">
          <summary className="inline-flex text-sm font-medium text-muted hover:text-ink">
            {t.page.history(history.length)}
          </summary>
          <ol aria-label={t.page.releasesOn(site.name)} className="mt-3 grid gap-3 border-l-2 border-line pl-4">
            {history.map(each => (
              <PastRelease key={each.id} release={each} open={open} history={history} />
            ))}
          </ol>
        </details>
      ) : null}
    </Panel>
  );
}

function OpenRelease({ release, isWaiting }: { release: Release; isWaiting: boolean }) {
  const terms = formatTerms(release);
  const pause = release.state === 'PAUSED' ? release.changes.find(each => each.state === 'PAUSED') : undefined;
  return (
    <div>
      <p>
        <StateBadge release={release} isWaiting={isWaiting} />{' '}
        {t.page.liveSince(
          <strong className="font-semibold">{t.page.revision(release.revision.number)}</strong>,
          formatDateTime(release.at),
          release.by.name,
          release.rollbackOf ? formatDateTime(release.rollbackOf.at) : null,
        )}
      </p>
      {terms.length > 0 ? <p className="mt-1 font-medium">{terms.join(' · ')}</p> : null}
      {release.note ? <p className="mt-1 text-muted">{t.page.quoted(release.note)}</p> : null}
      {pause ? (
        <p className="mt-1 text-muted">
          {t.page.pausedBy(formatDateTime(pause.at), pause.by.name)} {pause.note ? t.page.quoted(pause.note) : null}
        </p>
      ) : null}
    </div>
  );
}

function StateBadge({ release, isWaiting }: { release: Release; isWaiting: boolean }) {
  const now = useNow();
  if (release.state === 'PAUSED') return <Badge tone="signal">{t.page.paused}</Badge>;
  if (isScheduled(release, now)) return <Badge tone="brand">{t.page.scheduled}</Badge>;
  if (isWaiting) return <Badge tone="brand">{t.page.released}</Badge>;
  return <Badge tone="ok">{t.page.live}</Badge>;
}

function PastRelease({ release, open, history }: Pick<SiteReleases, 'open' | 'history'> & { release: Release }) {
  const { slug: workspace } = useWorkspace();
  const { slug: tour } = useTour();
  const kind = isAdjustment(release, history) ? t.page.adjusted : release.rollbackOf ? t.page.rollback : null;
  const replaced = isReplaced(release, history);
  const terms = formatTerms(release);
  const endedByMember = release.changes.some(each => each.state === 'ENDED');
  return (
    <li className="text-sm">
      <Link
        to={paths.revisions}
        params={{ workspace, tour }}
        search={{ at: release.revision.number }}
        className="font-medium underline decoration-edge underline-offset-2 hover:decoration-current"
      >
        {t.page.revision(release.revision.number)}
      </Link>
      {kind ? ` ${kind}` : ''} · {t.page.by(formatDateTime(release.at), release.by.name)}
      {release.note ? <span className="block text-muted">{t.page.quoted(release.note)}</span> : null}
      {terms.length > 0 ? <span className="block">{terms.join(' · ')}</span> : null}
      {release.endedAt && !endedByMember ? (
        <span className="block text-muted">{t.page.endedOnSchedule(formatDateTime(release.endedAt))}</span>
      ) : null}
      {release.changes.map(each => (
        <span key={`${each.at} ${each.state}`} className="block text-muted">
          {replaced && each.state === 'ENDED' ? t.page.replaced : t.page.changed[each.state]}{' '}
          {t.page.by(formatDateTime(each.at), each.by.name)}
          {each.note ? ` ${t.page.quoted(each.note)}` : ''}
        </span>
      ))}
      {open && release.revision.id !== open.revision.id ? (
        <span className="mt-1.5 block">
          <RollbackButton open={open} history={history} target={release} />
        </span>
      ) : null}
    </li>
  );
}
