import { useApolloClient } from '@apollo/client/react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RevisionContent } from '../../generated/documents/RevisionContent';
import { MutationTourSave } from '../../generated/fields';
import { toAppError } from '../../shared/api/app-error';
import { t as errors } from '../../shared/i18n/en/errors';
import { t } from '../../shared/i18n/en/review';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { toast } from '../../shared/ui/toast';
import { contentOf } from '../tour/draft';
import { setInitialContent } from '../tour/initial-content';
import { useTour } from '../tour/tour-context';
import { useReason, useWorkspace } from '../workspace/workspace-context';

/** Opens the editor with the content of an older revision as an undoable edit. */
export function RestoreButton({
  revision: { id, number },
  named = false,
}: {
  revision: { id: string; number: number };
  /** True if the context does not show the revision. */
  named?: boolean;
}) {
  const client = useApolloClient();
  const navigate = useNavigate();
  const { slug: workspace } = useWorkspace();
  const tour = useTour();
  const [busy, setBusy] = useState(false);
  const reason =
    useReason()(MutationTourSave) ??
    (tour.status === 'ARCHIVED' ? errors.sentence('TOUR_ARCHIVED', {}) : null) ??
    (tour.draft.state === 'IN_REVIEW' ? errors.sentence('REVISION_IN_REVIEW', {}) : null);
  const restore = async () => {
    setBusy(true);
    try {
      const { data } = await client.query({ query: RevisionContent, variables: { id }, fetchPolicy: 'network-only' });
      if (!data?.revision) throw new Error(t.restore.gone);
      setInitialContent(tour.id, { content: contentOf(data.revision), name: t.restore.name(number), replaces: true });
      await navigate({ to: paths.tour, params: { workspace, tour: tour.slug } });
      toast(t.restore.done(number));
    } catch (error) {
      toast(toAppError(error).message, { tone: 'danger' });
      setBusy(false);
    }
  };
  return (
    <Button size="small" icon="undo" reason={reason} busy={busy} onClick={() => void restore()}>
      {named ? (
        t.restore.actionOf(number)
      ) : (
        <>
          {t.restore.action}
          <span className="sr-only">, {t.panel.title(number)}</span>
        </>
      )}
    </Button>
  );
}
