import { useNavigate } from '@tanstack/react-router';
import { t } from '../../shared/i18n/en/review';
import { formatAgo, formatList } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { MoreButton } from '../../shared/ui/MoreButton';
import { isStillLive } from '../tour/live-revision';
import { stateName } from '../tour/ReviewBadge';
import { rollbacksTo } from '../tour/site-releases';
import { RestoreButton } from './RestoreButton';
import { ReviewHistory } from './ReviewPanel';
import type { RevisionRow, TourWithRevisions } from './use-revision-content';

/** All revisions of a tour, newest first, each with its live sites, reviews, and actions to compare and restore. */
export function HistoryPanel({ tour, onMore }: { tour: TourWithRevisions; onMore: () => Promise<unknown> }) {
  const { nodes, pageInfo } = tour.revisions;
  return (
    <Panel title={t.history.title}>
      <ol aria-label={t.history.list} className="grid gap-5">
        {nodes.map(each => (
          <Revision key={each.id} revision={each} tour={tour} newest={nodes[0]?.number ?? each.number} />
        ))}
      </ol>
      {pageInfo.hasNextPage ? (
        <div className="mt-5">
          <MoreButton onMore={onMore} />
        </div>
      ) : null}
    </Panel>
  );
}

function Revision({ revision, tour, newest }: { revision: RevisionRow; tour: TourWithRevisions; newest: number }) {
  const now = useNow();
  const navigate = useNavigate({ from: paths.revisions });
  const { number, state, frozenAt, updatedAt, author } = revision;
  const liveReleases = tour.releases.filter(each => each.state === 'LIVE' && each.revision.id === revision.id);
  const frozen = state === 'FROZEN';
  return (
    <li className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-medium">{t.panel.title(number)}</h3>
        <Badge tone={state === 'IN_REVIEW' ? 'brand' : 'plain'}>{stateName(state)}</Badge>
        {liveReleases.length > 0 ? (
          <Badge tone="ok">{t.history.live(formatList(liveReleases.map(each => each.site.name)))}</Badge>
        ) : null}
      </div>
      <p className="text-sm text-muted">
        {t.history.by(author.name)},{' '}
        {frozenAt ? t.history.released(formatAgo(frozenAt, now)) : t.history.changed(formatAgo(updatedAt, now))}
      </p>
      {rollbacksTo(revision.id, tour.releases).map(each => (
        <p key={each.id} className="text-sm text-muted">
          {formatRollback(each, tour.releases, now)}
        </p>
      ))}
      {/* `ReviewPanel` shows the reviews of the draft. */}
      {frozen ? <ReviewHistory reviews={revision.reviews} /> : null}
      {frozen ? (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            onClick={() => {
              void navigate({ search: { since: number, at: newest } });
              window.scrollTo({ top: 0 });
            }}
          >
            {t.history.compare}
            <span className="sr-only">, {t.panel.title(number)}</span>
          </Button>
          <RestoreButton revision={revision} />
        </div>
      ) : null}
    </li>
  );
}

function formatRollback(
  rollback: TourWithRevisions['releases'][number],
  releases: TourWithRevisions['releases'],
  now: number,
): string {
  const format = isStillLive(rollback, releases) ? t.history.liveAgain : t.history.rolledBack;
  return format(rollback.site.name, formatAgo(rollback.at, now));
}
