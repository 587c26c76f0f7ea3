import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationTourArchive, MutationTourDuplicate, MutationTourRestore } from '../../generated/fields';
import {
  useTourArchiveMutation,
  useTourChangedSubscription,
  useTourEditorQuery,
  useTourRestoreMutation,
} from '../../generated/hooks';
import { evictQuery } from '../../shared/api/cache';
import { refetchScreen } from '../../shared/api/refetch-on-focus';
import { runMutation } from '../../shared/api/run-mutation';
import { t as reviewTexts } from '../../shared/i18n/en/review';
import { t } from '../../shared/i18n/en/tour';
import { formatCount } from '../../shared/i18n/format';
import { usePageTitle, useVisible } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button, IconButton } from '../../shared/ui/Button';
import { useCommands } from '../../shared/ui/commands';
import { Confirm } from '../../shared/ui/Confirm';
import { Icon } from '../../shared/ui/Icon';
import { Loaded } from '../../shared/ui/Loaded';
import { Menu, MenuItem } from '../../shared/ui/Menu';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { BackLink, WIDE_FRAME } from '../../shared/ui/Page';
import { tabStyle, Tabs } from '../../shared/ui/Tabs';
import { toast } from '../../shared/ui/toast';
import { isBroken } from '../workspace/broken-tours';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { OpenBy } from './OpenBy';
import { useSubmitReason } from './submit-reason';
import { TourContext, type TourWithDraft } from './tour-context';
import { BrokenBadge, TourBadges } from './TourBadges';
import { TourCreateDialog } from './TourCreateDialog';
import { TourTitle } from './TourTitle';

export function TourFrame() {
  const workspace = useWorkspace();
  const { tour: slug } = useParams({ from: routeIds.tour });
  const result = useTourEditorQuery({ variables: { workspaceId: workspace.id, slug } });
  return (
    <Loaded result={result} label={t.frame.loading} page rows={5}>
      {({ tourBySlug }) => (tourBySlug ? <Frame key={tourBySlug.id} tour={tourBySlug} /> : <NotFound thing="tour" />)}
    </Loaded>
  );
}

function Frame({ tour }: { tour: TourWithDraft }) {
  const { slug: workspace, sites } = useWorkspace();
  usePageTitle(tour.title);
  // Status and the draft's version, which the editor compares.
  useTourChangedSubscription({ variables: { id: tour.id }, skip: !useVisible(), onComplete: refetchScreen });
  const params = { workspace, tour: tour.slug };
  return (
    <div>
      <header className="border-b border-line bg-surface px-4 pt-4 sm:px-8">
        <div className={WIDE_FRAME}>
          <BackLink to={paths.tours} params={{ workspace }}>
            {t.list.title}
          </BackLink>
          <div className="mt-1 flex items-start gap-x-3">
            <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
              <TourTitle tour={tour} />
              <span className="inline-flex flex-wrap items-center gap-1.5">
                {isBroken(tour, sites) ? <BrokenBadge /> : null}
                <TourBadges tour={tour} />
              </span>
              <OpenBy tour={tour} />
            </div>
            <TourMenu tour={tour} />
          </div>
          <Tabs label={t.frame.tour}>
            <Link
              to={paths.tour}
              params={params}
              activeOptions={{ exact: true, includeSearch: false }}
              className={tabStyle}
            >
              <Icon name="tours" className="hidden size-4 sm:block" />
              {t.frame.write}
            </Link>
            <Link to={paths.revisions} params={params} className={tabStyle}>
              <Icon name="review" className="hidden size-4 sm:block" />
              {reviewTexts.tab}
              {tour.draft.openComments > 0 ? (
                <Badge tone="signal">
                  <span aria-hidden="true">{formatCount(tour.draft.openComments)}</span>
                  <span className="sr-only">{reviewTexts.openComments(tour.draft.openComments)}</span>
                </Badge>
              ) : null}
            </Link>
            <Link to={paths.releases} params={params} className={tabStyle} data-tour="tour-releases">
              <Icon name="release" className="hidden size-4 sm:block" />
              {t.frame.release}
            </Link>
            <Link to={paths.insights} params={params} className={tabStyle} data-tour="tour-insights">
              <Icon name="insights" className="hidden size-4 sm:block" />
              {t.frame.insights}
            </Link>
          </Tabs>
        </div>
      </header>
      {tour.status === 'ARCHIVED' ? <ArchivedNote tour={tour} /> : null}
      <TourContext value={tour}>
        <Outlet />
      </TourContext>
    </div>
  );
}

function TourMenu({ tour }: { tour: TourWithDraft }) {
  const reasonFor = useReason();
  const { slug: workspace } = useWorkspace();
  const [duplicating, setDuplicating] = useState(false);
  const navigate = useNavigate();
  const [archiving, setArchiving] = useState(false);
  const [archive] = useTourArchiveMutation({ update: cache => evictQuery(cache, 'tours') });
  const live = tour.status === 'LIVE' || tour.status === 'PAUSED' ? t.frame.live : null;
  const params = { workspace, tour: tour.slug };
  const submitReason = useSubmitReason()(tour);
  const requestReview = () => void navigate({ to: paths.revisions, params, search: { ask: true } });
  useCommands([
    {
      id: 'tour.write',
      name: t.frame.write,
      group: t.frame.thisTour,
      icon: 'tours',
      run: () => void navigate({ to: paths.tour, params }),
    },
    {
      id: 'tour.review',
      name: reviewTexts.tab,
      group: t.frame.thisTour,
      icon: 'review',
      run: () => void navigate({ to: paths.revisions, params }),
    },
    {
      id: 'tour.release',
      name: t.frame.release,
      group: t.frame.thisTour,
      icon: 'release',
      run: () => void navigate({ to: paths.releases, params }),
    },
    {
      id: 'tour.insights',
      name: t.frame.insights,
      group: t.frame.thisTour,
      icon: 'insights',
      run: () => void navigate({ to: paths.insights, params }),
    },
    {
      id: 'tour.ask',
      name: reviewTexts.panel.request,
      group: t.frame.thisTour,
      icon: 'review',
      reason: submitReason,
      run: requestReview,
    },
    {
      id: 'tour.duplicate',
      name: t.frame.duplicateThis,
      group: t.frame.thisTour,
      icon: 'copy',
      reason: reasonFor(MutationTourDuplicate),
      run: () => setDuplicating(true),
    },
  ]);
  return (
    <>
      <Menu trigger={<IconButton label={t.frame.more} icon="more" />}>
        <MenuItem icon="review" reason={submitReason} onSelect={requestReview}>
          {reviewTexts.panel.request}
        </MenuItem>
        <MenuItem icon="copy" reason={reasonFor(MutationTourDuplicate)} onSelect={() => setDuplicating(true)}>
          {t.frame.duplicate}
        </MenuItem>
        {tour.status === 'ARCHIVED' ? null : (
          <MenuItem icon="trash" reason={reasonFor(MutationTourArchive) ?? live} onSelect={() => setArchiving(true)}>
            {t.frame.archive}
          </MenuItem>
        )}
      </Menu>
      <TourCreateDialog open={duplicating} onOpenChange={setDuplicating} copy={tour} />
      <Confirm
        open={archiving}
        onOpenChange={setArchiving}
        title={t.frame.archiveTitle(tour.title)}
        action={t.frame.archiveTour}
        onConfirm={async () => {
          const outcome = await runMutation(archive({ variables: { id: tour.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.frame.archived(tour.title));
          void navigate({ to: paths.tours, params: { workspace } });
          return null;
        }}
      >
        {t.frame.archiveText}
      </Confirm>
    </>
  );
}

function ArchivedNote({ tour }: { tour: TourWithDraft }) {
  const reason = useReason()(MutationTourRestore);
  const [restore, { loading }] = useTourRestoreMutation({ update: cache => evictQuery(cache, 'tours') });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line bg-sunken px-4 py-3 sm:px-8">
      <p>{t.frame.isArchived}</p>
      <Button
        size="small"
        icon="undo"
        reason={reason}
        busy={loading}
        onClick={async () => {
          const outcome = await runMutation(restore({ variables: { id: tour.id } }));
          if (!outcome.ok) toast(outcome.error.message, { tone: 'danger' });
        }}
      >
        {t.frame.restore}
      </Button>
    </div>
  );
}
