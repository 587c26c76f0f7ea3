import { useState } from 'react';
import { TourReleases } from '../../generated/documents/TourReleases';
import {
  MutationReleaseAdjust,
  MutationReleaseEnd,
  MutationReleasePause,
  MutationReleaseResume,
  MutationReleaseRollback,
} from '../../generated/fields';
import {
  useReleaseAdjustMutation,
  useReleaseEndMutation,
  useReleasePauseMutation,
  useReleaseResumeMutation,
  useReleaseRollbackMutation,
} from '../../generated/hooks';
import type { ReleaseRow_ReleaseFragment } from '../../generated/operations';
import { canFrom } from '../../shared/api/permissions';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/release';
import { formatDateTime } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { Button } from '../../shared/ui/Button';
import { Field, Select } from '../../shared/ui/Field';
import { toast } from '../../shared/ui/toast';
import { rollbackChoices, type SiteReleases } from '../tour/site-releases';
import { useTour } from '../tour/tour-context';
import { reasonOf, useReason, useWorkspace } from '../workspace/workspace-context';
import { ActionDialog } from './ActionDialog';
import { goalProblem, isEmptySchedule, rollbackChange, termsInput, termsOf } from './terms';
import { TermsFields } from './TermsFields';

export function useReleaseRefetchOptions() {
  const workspace = useWorkspace();
  const { slug } = useTour();
  return {
    refetchQueries: [{ query: TourReleases, variables: { workspaceId: workspace.id, slug } }],
    awaitRefetchQueries: true,
  };
}

interface Props {
  open: ReleaseRow_ReleaseFragment;
}

const topicOf = ({ site }: ReleaseRow_ReleaseFragment): string => `release ${site.id}`;

function usePlan() {
  const { id: tourId } = useTour();
  return ({ site, revision, rolloutPercent, holdoutPercent }: ReleaseRow_ReleaseFragment) => ({
    tourId,
    siteIds: [site.id],
    revisionId: revision.id,
    rolloutPercent,
    holdoutPercent,
  });
}

/** `target` is the release that the dialog proposes; null if there is no other revision. */
export function RollbackButton({
  open,
  history,
  target: proposed,
}: Props & Pick<SiteReleases, 'history'> & { target: ReleaseRow_ReleaseFragment | null }) {
  const reason = useReason()(MutationReleaseRollback);
  const fromState = reasonOf(canFrom(MutationReleaseRollback, open.state, 'release'));
  const [rollback] = useReleaseRollbackMutation(useReleaseRefetchOptions());
  const [dialogOpen, setDialogOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const plan = usePlan();
  const site = open.site.name;
  const choices = rollbackChoices(open, history);
  const target = choices.find(each => each.id === chosen) ?? proposed;
  const action = (to: ReleaseRow_ReleaseFragment | null) =>
    to ? t.actions.rollBackToRevision(to.revision.number) : t.actions.rollBack;
  return (
    <>
      <Button
        size="small"
        icon="undo"
        reason={reason ?? fromState ?? (target ? null : t.actions.noEarlier(open.revision.number))}
        onClick={() => {
          setChosen(null);
          setDialogOpen(true);
        }}
      >
        {action(proposed)}
      </Button>
      {target ? (
        <ActionDialog
          open={dialogOpen}
          onOpenChange={setDialogOpen}
          title={t.actions.rollBackTitle(site)}
          text={[
            t.actions.rollBackText(target.revision.number, formatDateTime(target.at), open.revision.number),
            rollbackChange(open, target),
          ]
            .filter(text => text !== null)
            .join(' ')}
          action={action(target)}
          fields={
            choices.length > 1 ? (
              <Field label={t.actions.rollBackTo}>
                <Select
                  value={choices.find(each => each.revision.id === target.revision.id)?.id ?? ''}
                  onChange={event => setChosen(event.target.value)}
                >
                  {choices.map(each => (
                    <option key={each.id} value={each.id}>
                      {t.actions.rollBackChoice(each.revision.number, formatDateTime(each.at))}
                    </option>
                  ))}
                </Select>
              </Field>
            ) : undefined
          }
          plan={plan(target)}
          pendingAction={({ endActiveRuns }) => ({ kind: 'release', startsAt: null, endActiveRuns })}
          mayEndRuns
          onDecide={async decision => {
            const outcome = await runMutation(rollback({ variables: { id: open.id, to: target.id, ...decision } }));
            if (!outcome.ok) return outcome.error;
            toast(t.actions.liveAgain(outcome.data.releaseRollback.revision.number, site), { topic: topicOf(open) });
            return null;
          }}
        />
      ) : null}
    </>
  );
}

export function AdjustButton({ open }: Props) {
  const reason = useReason()(MutationReleaseAdjust) ?? reasonOf(canFrom(MutationReleaseAdjust, open.state, 'release'));
  const [adjust] = useReleaseAdjustMutation(useReleaseRefetchOptions());
  const [dialogOpen, setDialogOpen] = useState(false);
  const [terms, setTerms] = useState(termsOf(open));
  const plan = usePlan();
  const schedule = isEmptySchedule(terms, useNow()) ? t.terms.endFirst : null;
  const input = termsInput(terms, open);
  const { startsAt, rolloutPercent, holdoutPercent } = input;
  const site = open.site.name;
  return (
    <>
      <Button
        size="small"
        icon="edit"
        reason={reason}
        onClick={() => {
          setTerms(termsOf(open));
          setDialogOpen(true);
        }}
      >
        {t.actions.adjust}
      </Button>
      <ActionDialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        title={t.actions.adjustTitle(site)}
        text={t.actions.adjustText(open.revision.number)}
        action={t.actions.adjustSubmit}
        fields={
          <TermsFields
            terms={terms}
            problem={schedule}
            onChange={patch => setTerms(before => ({ ...before, ...patch }))}
          />
        }
        problem={schedule ?? goalProblem(terms)}
        plan={{ ...plan(open), rolloutPercent, holdoutPercent }}
        pendingAction={() =>
          open.state === 'PAUSED' ? { kind: 'pause' } : { kind: 'release', startsAt, endActiveRuns: false }
        }
        onDecide={async ({ note }) => {
          const outcome = await runMutation(adjust({ variables: { input: { id: open.id, ...input, note } } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.adjusted(site), { topic: topicOf(open) });
          return null;
        }}
      />
    </>
  );
}

export function PauseButton({ open }: Props) {
  const reason = useReason()(MutationReleasePause);
  const [pause] = useReleasePauseMutation(useReleaseRefetchOptions());
  const [dialogOpen, setDialogOpen] = useState(false);
  const plan = usePlan();
  const site = open.site.name;
  return (
    <>
      <Button size="small" icon="pause" reason={reason} onClick={() => setDialogOpen(true)}>
        {t.actions.pause}
      </Button>
      <ActionDialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        title={t.actions.pauseTitle(site)}
        text={t.actions.pauseText}
        action={t.actions.pause}
        plan={{ ...plan(open), revisionId: null }}
        pendingAction={() => ({ kind: 'pause' })}
        onDecide={async ({ note }) => {
          const outcome = await runMutation(pause({ variables: { id: open.id, note } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.paused(site), { topic: topicOf(open) });
          return null;
        }}
      />
    </>
  );
}

export function ResumeButton({ open }: Props) {
  const reason = useReason()(MutationReleaseResume);
  const [resume] = useReleaseResumeMutation(useReleaseRefetchOptions());
  const [dialogOpen, setDialogOpen] = useState(false);
  const plan = usePlan();
  const site = open.site.name;
  return (
    <>
      <Button size="small" variant="primary" icon="play" reason={reason} onClick={() => setDialogOpen(true)}>
        {t.actions.resume}
      </Button>
      <ActionDialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        title={t.actions.resumeTitle(site)}
        text={t.actions.resumeText}
        action={t.actions.resume}
        plan={plan(open)}
        pendingAction={() => ({ kind: 'release', startsAt: open.startsAt, endActiveRuns: false })}
        onDecide={async ({ note }) => {
          const outcome = await runMutation(resume({ variables: { id: open.id, note } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.resumed(site), { topic: topicOf(open) });
          return null;
        }}
      />
    </>
  );
}

export function EndButton({ open }: Props) {
  const reason = useReason()(MutationReleaseEnd) ?? reasonOf(canFrom(MutationReleaseEnd, open.state, 'release'));
  const [end] = useReleaseEndMutation(useReleaseRefetchOptions());
  const [dialogOpen, setDialogOpen] = useState(false);
  const plan = usePlan();
  const site = open.site.name;
  return (
    <>
      <Button size="small" variant="danger" icon="stop" reason={reason} onClick={() => setDialogOpen(true)}>
        {t.actions.end}
      </Button>
      <ActionDialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        title={t.actions.endTitle(site)}
        text={t.actions.endText}
        action={t.actions.endRelease}
        danger
        plan={{ ...plan(open), revisionId: null }}
        pendingAction={({ endActiveRuns }) => ({ kind: 'end', endActiveRuns })}
        mayEndRuns
        onDecide={async decision => {
          const outcome = await runMutation(end({ variables: { id: open.id, ...decision } }));
          if (!outcome.ok) return outcome.error;
          toast(t.actions.ended(site), { topic: topicOf(open) });
          return null;
        }}
      />
    </>
  );
}
