import { useSearch } from '@tanstack/react-router';
import { useTourEditorQuery, useViewerQuery } from '../../../generated/hooks';
import { t } from '../../../shared/i18n/en/editor';
import { routeIds } from '../../../shared/lib/paths';
import { Loaded } from '../../../shared/ui/Loaded';
import { savedDraftOf } from '../../tour/draft';
import { useTour, type TourWithDraft } from '../../tour/tour-context';
import { useWorkspace } from '../../workspace/workspace-context';
import { EditorScreen } from './EditorScreen';

/**
 * Never loads the draft from the cache, where other screens store newer version numbers without the steps: a save
 * based on those would silently overwrite another member's changes.
 */
export function EditorPage() {
  const workspace = useWorkspace();
  const { slug } = useTour();
  const viewer = useViewerQuery();
  const result = useTourEditorQuery({
    variables: { workspaceId: workspace.id, slug },
    fetchPolicy: 'no-cache',
  });
  const tour = result.data?.tourBySlug;
  const accountId = viewer.data?.viewer.account.id;
  const loaded = tour && accountId ? { tour, accountId } : undefined;
  return (
    <div className="p-4 sm:px-8">
      <Loaded
        result={{ data: loaded, error: result.error ?? viewer.error, refetch: result.refetch }}
        label={t.screen.loading}
      >
        {ready => <Ready key={ready.tour.id} {...ready} />}
      </Loaded>
    </div>
  );
}

function Ready({ tour, accountId }: { tour: TourWithDraft; accountId: string }) {
  const search = useSearch({ from: routeIds.editor });
  // `TourFrame` subscribes; the fetched tour is a snapshot.
  const current = useTour();
  return (
    <EditorScreen
      tour={current}
      accountId={accountId}
      initial={savedDraftOf(tour.draft, accountId)}
      startWith={search}
    />
  );
}
