import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTourReleasesQuery } from '../generated/hooks';
import type { TourReleasesQuery } from '../generated/operations';
import { MutationTourRelease } from '../generated/fields';
import { formatDateTime } from '../lib/format';
import { paths } from '../paths';
import { NotFound } from '../shell/NotFoundPage';
import { InstallLight } from '../site/InstallLight';
import { t } from '../texts/release';
import { useTour } from '../tour/tour-context';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { buttonStyle } from '../ui/button-style';
import { Panel } from '../ui/Card';
import { EmptyState } from '../ui/EmptyState';
import { Loaded } from '../ui/Loaded';
import { Page } from '../ui/Page';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { EndButton, RollbackButton } from './release-actions';
import { ReleaseDialog } from './ReleaseDialog';
import { releaseSentence } from './release-sentence';
import { releasesBySite, type SiteReleases } from './site-releases';

type Tour = NonNullable<TourReleasesQuery['tourBySlug']>;

export function ReleasesPage() {
  const workspace = useWorkspace();
  const { slug } = useTour();
  const result = useTourReleasesQuery({ variables: { workspaceId: workspace.id, slug } });
  return (
    <Loaded result={result} label={t.page.loading} page>
      {({ tourBySlug }) => (tourBySlug ? <Releases tour={tourBySlug} /> : <NotFound thing="tour" />)}
    </Loaded>
  );
}

function Releases({ tour }: { tour: Tour }) {
  const { slug: workspace } = useWorkspace();
  const [releasing, setReleasing] = useState(false);
  const reason = useReason()(MutationTourRelease);
  const { sites } = tour.workspace;
  const blocked =
    tour.status === 'ARCHIVED'
      ? t.page.archived
      : sites.length === 0
        ? t.page.siteFirst
        : null;
  return (
    <Page
      title={t.page.title}
      description={releaseSentence(tour)}
      actions={
        <Button
          variant="primary"
          icon="release"
          data-tour="tour-release"
          reason={reason ?? blocked}
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
        releasesBySite(sites, tour.releases).map(each => <SitePanel key={each.site.id} releases={each} />)
      )}
      <ReleaseDialog tour={tour} open={releasing} onOpenChange={setReleasing} />
    </Page>
  );
}

function SitePanel({ releases: { site, live, history, previous } }: { releases: SiteReleases }) {
  return (
    <Panel
      title={site.name}
      description={<InstallLight site={site} />}
      actions={
        live ? (
          <div className="flex flex-wrap gap-2">
            <RollbackButton live={live} previous={previous} site={site.name} />
            <EndButton live={live} site={site.name} />
          </div>
        ) : null
      }
    >
      {live ? (
        <p>
          <Badge tone="ok">{t.page.live}</Badge>{' '}
          {t.page.plays(
            <strong className="font-semibold">{t.page.revision(live.revision.number)}</strong>,
            formatDateTime(live.at),
            live.by.name,
            live.rollbackOf ? formatDateTime(live.rollbackOf.at) : null,
          )}
          {live.note ? <span className="mt-1 block text-muted">{t.page.quoted(live.note)}</span> : null}
        </p>
      ) : (
        <p className="text-muted">{history.length > 0 ? t.page.nothingNow : t.page.nothingYet}</p>
      )}
      {history.length > 0 ? (
        <details className="mt-4">
          <summary className="inline-flex text-sm font-medium text-muted hover:text-ink">
            {t.page.history(history.length)}
          </summary>
          <ol aria-label={t.page.releasesOn(site.name)} className="mt-3 grid gap-3 border-l-2 border-line pl-4">
            {history.map(each => (
              <li key={each.id} className="text-sm">
                <span className="font-medium">{t.page.revision(each.revision.number)}</span>
                {each.rollbackOf ? ` ${t.page.rollback}` : ''} · {t.page.by(formatDateTime(each.at), each.by.name)}
                {each.endedAt ? t.page.ended(formatDateTime(each.endedAt)) : ''}
                {each.note ? <span className="block text-muted">{t.page.quoted(each.note)}</span> : null}
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </Panel>
  );
}
