import { useState } from 'react';
import { act } from '../api/act';
import { canFrom } from '../api/can';
import { useReleaseEndMutation, useReleaseRollbackMutation } from '../generated/hooks';
import { TourReleases, type ReleaseRow_ReleaseFragment } from '../generated/operations';
import { MutationReleaseEnd, MutationReleaseRollback } from '../generated/fields';
import { formatDateTime } from '../lib/format';
import { t } from '../texts/release';
import { useTour } from '../tour/tour-context';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { toast } from '../ui/toast';
import { reasonOf, useReason, useWorkspace } from '../workspace/workspace-context';

/** What shows the releases anew after one of them changed; the tour's own row comes with the mutation. */
export function useReleasesAgain() {
  const workspace = useWorkspace();
  const { slug } = useTour();
  return {
    refetchQueries: [{ query: TourReleases, variables: { workspaceId: workspace.id, slug } }],
    awaitRefetchQueries: true,
  };
}

interface Props {
  live: ReleaseRow_ReleaseFragment;
  site: string;
}

export function RollbackButton({ live, previous, site }: Props & { previous: ReleaseRow_ReleaseFragment | null }) {
  const reason = useReason()(MutationReleaseRollback);
  const fromState = reasonOf(canFrom(MutationReleaseRollback, live.state, 'release'));
  const [rollback] = useReleaseRollbackMutation(useReleasesAgain());
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="small"
        icon="undo"
        reason={reason ?? fromState ?? (previous ? null : t.actions.noEarlier)}
        onClick={() => setAsking(true)}
      >
        {t.actions.rollBack}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        danger={false}
        title={t.actions.rollBackTitle(site)}
        action={t.actions.rollBack}
        onConfirm={async () => {
          const outcome = await act(rollback({ variables: { id: live.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.playsAgain(outcome.data.releaseRollback.revision.number, site));
          return null;
        }}
      >
        {previous
          ? t.actions.rollBackText(previous.revision.number, formatDateTime(previous.at), live.revision.number)
          : null}
      </Confirm>
    </>
  );
}

export function EndButton({ live, site }: Props) {
  const reason = useReason()(MutationReleaseEnd) ?? reasonOf(canFrom(MutationReleaseEnd, live.state, 'release'));
  const [end] = useReleaseEndMutation(useReleasesAgain());
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" variant="danger" icon="stop" reason={reason} onClick={() => setAsking(true)}>
        {t.actions.end}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t.actions.endTitle(site)}
        action={t.actions.endRelease}
        onConfirm={async () => {
          const outcome = await act(end({ variables: { id: live.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.ended(site));
          return null;
        }}
      >
        {t.actions.endText}
      </Confirm>
    </>
  );
}
