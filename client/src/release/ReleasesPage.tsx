import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTourReleasesQuery } from '../generated/hooks';
import type { TourReleasesQuery } from '../generated/operations';
import { MutationTourRelease } from '../generated/fields';
import { formatDateTime, plural } from '../lib/format';
import { paths } from '../paths';
import { NotFound } from '../shell/NotFoundPage';
import { InstallLight } from '../site/InstallLight';
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
    <Loaded result={result} label="Loading the releases" page>
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
      ? 'This tour is archived. Restore it to release it.'
      : sites.length === 0
        ? 'Add a site first.'
        : null;
  return (
    <Page
      title="Releases"
      description={releaseSentence(tour)}
      actions={
        <Button
          variant="primary"
          icon="release"
          data-tour="tour-release"
          reason={reason ?? blocked}
          onClick={() => setReleasing(true)}
        >
          Release
        </Button>
      }
    >
      {sites.length === 0 ? (
        <EmptyState
          title="No site to release to"
          action={
            <Link to={paths.sites} params={{ workspace }} className={buttonStyle('primary')}>
              Go to the sites
            </Link>
          }
        >
          A release plays a tour on a site. Add the first one; then come back.
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
          <Badge tone="ok">Live</Badge> <strong className="font-semibold">Revision {live.revision.number}</strong> since{' '}
          {formatDateTime(live.at)}, released by {live.by.name}
          {live.rollbackOf ? `, gone back to the release of ${formatDateTime(live.rollbackOf.at)}` : ''}.
          {live.note ? <span className="mt-1 block text-muted">“{live.note}”</span> : null}
        </p>
      ) : (
        <p className="text-muted">Nothing plays here{history.length > 0 ? ' at the moment' : ' yet'}.</p>
      )}
      {history.length > 0 ? (
        <details className="mt-4">
          <summary className="inline-flex text-sm font-medium text-muted hover:text-ink">
            History: {plural(history.length, 'release')}
          </summary>
          <ol aria-label={`Releases on ${site.name}`} className="mt-3 grid gap-3 border-l-2 border-line pl-4">
            {history.map(each => (
              <li key={each.id} className="text-sm">
                <span className="font-medium">Revision {each.revision.number}</span>
                {each.rollbackOf ? ' (rollback)' : ''} · {formatDateTime(each.at)} by {each.by.name}
                {each.endedAt ? `, ended ${formatDateTime(each.endedAt)}` : ''}
                {each.note ? <span className="block text-muted">“{each.note}”</span> : null}
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </Panel>
  );
}
