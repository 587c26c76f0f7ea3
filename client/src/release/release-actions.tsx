import { useState } from 'react';
import { act } from '../api/act';
import { canFrom } from '../api/can';
import { useReleaseEndMutation, useReleaseRollbackMutation } from '../generated/hooks';
import { TourReleases, type ReleaseRow_ReleaseFragment } from '../generated/operations';
import { MutationReleaseEnd, MutationReleaseRollback } from '../generated/fields';
import { formatDateTime } from '../lib/format';
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
        reason={reason ?? fromState ?? (previous ? null : 'There is no earlier release on this site to go back to.')}
        onClick={() => setAsking(true)}
      >
        Roll back
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        danger={false}
        title={`Roll back on ${site}?`}
        action="Roll back"
        onConfirm={async () => {
          const outcome = await act(rollback({ variables: { id: live.id } }));
          if (!outcome.ok) return outcome.error;
          toast(`Revision ${outcome.data.releaseRollback.revision.number} plays on ${site} again.`);
          return null;
        }}
      >
        {previous
          ? `Revision ${previous.revision.number}, released ${formatDateTime(previous.at)}, plays again instead of revision ${live.revision.number}. The draft stays as it is.`
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
        End
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Stop playing on ${site}?`}
        action="End the release"
        onConfirm={async () => {
          const outcome = await act(end({ variables: { id: live.id } }));
          if (!outcome.ok) return outcome.error;
          toast(`The tour does not play on ${site} any more.`);
          return null;
        }}
      >
        Nobody on this site meets the tour any more until it is released again.
      </Confirm>
    </>
  );
}
