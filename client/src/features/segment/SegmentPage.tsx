import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Condition } from '../../../embed/player/condition';
import { Segments } from '../../generated/documents/Segments';
import { MutationSegmentCreate, MutationSegmentDelete, MutationSegmentUpdate } from '../../generated/fields';
import {
  useSegmentCreateMutation,
  useSegmentDeleteMutation,
  useSegmentsQuery,
  useSegmentUpdateMutation,
} from '../../generated/hooks';
import type { SegmentFields_SegmentFragment, SegmentsQuery } from '../../generated/operations';
import { SegmentInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/segment';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { ErrorNote, NewerVersionNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { LeaveDialog } from '../../shared/ui/LeaveDialog';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { BackLink, Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { conditionInput, newCondition, plainCondition, segmentInput, type ConditionKind } from '../tour/condition-tree';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { RequiredCondition } from './ConditionField';
import { MatchLine } from './MatchLine';

/** The id of the page for a new segment. */
export const NEW = 'new';

/** The tests that segments can have: those that the server evaluates, except of other segments. */
const KINDS: readonly ConditionKind[] = ['trait', 'verified', 'tour', 'group'];

type Segment = NonNullable<SegmentsQuery['workspace']>['segments'][number];

export function SegmentPage() {
  const { slug } = useWorkspace();
  const { segment: id } = useParams({ from: routeIds.segment });
  const result = useSegmentsQuery({ variables: { slug }, fetchPolicy: 'cache-and-network' });
  return (
    <Loaded result={result} label={t.page.loading} page>
      {({ workspace }) => {
        const segment = workspace?.segments.find(each => each.id === id);
        if (!segment && id !== NEW) return <NotFound thing="segment" />;
        return <SegmentEditor key={id} segment={segment ?? null} refetch={() => void result.refetch()} />;
      }}
    </Loaded>
  );
}

interface Values {
  readonly name: string;
  readonly when: Condition;
}

const valuesOf = (segment: SegmentFields_SegmentFragment | null): Values => ({
  name: segment?.name ?? '',
  when: segment ? plainCondition(segment.when) : newCondition('trait'),
});

const inputOf = ({ name, when }: Values) => ({ name, when: segmentInput(when) });

function SegmentEditor({ segment, refetch }: { segment: Segment | null; refetch: () => void }) {
  const { id: workspaceId, slug } = useWorkspace();
  usePageTitle(segment?.name ?? t.page.newTitle);
  const navigate = useNavigate();
  const reason = useReason()(segment ? MutationSegmentUpdate : MutationSegmentCreate);
  const refetchQueries = [{ query: Segments, variables: { slug } }];
  const [create] = useSegmentCreateMutation({ refetchQueries, awaitRefetchQueries: true });
  const [update] = useSegmentUpdateMutation();
  // The version that the form is based on. A newer one on the server must not be overwritten silently.
  const [base, setBase] = useState<SegmentFields_SegmentFragment | null>(segment);

  const form = useForm<Values>({
    initial: valuesOf(segment),
    check: values => checkInput(SegmentInputRules, inputOf(values)),
    send: async values => {
      const input = inputOf(values);
      if (base) {
        const outcome = await runMutation(update({ variables: { id: base.id, expectedVersion: base.version, input } }));
        if (!outcome.ok) {
          if (outcome.error.code === 'VERSION_CONFLICT') refetch();
          return outcome.error;
        }
        setBase(outcome.data.segmentUpdate);
        toast(t.page.saved);
        return null;
      }
      const outcome = await runMutation(create({ variables: { workspaceId, input } }));
      if (!outcome.ok) return outcome.error;
      toast(t.page.created(values.name));
      void navigate({ to: paths.segments, params: { workspace: slug }, ignoreBlocker: true });
      return null;
    },
  });
  const { values } = form;
  const violations = checkInput(SegmentInputRules, inputOf(values));
  const dirty = JSON.stringify(values) !== JSON.stringify(valuesOf(base));
  const newer = segment !== null && base !== null && segment.version !== base.version;
  return (
    <Page
      above={
        <BackLink to={paths.segments} params={{ workspace: slug }}>
          {t.list.title}
        </BackLink>
      }
      title={segment?.name ?? t.page.newTitle}
      description={segment ? t.page.live : null}
      actions={segment ? <DeleteButton segment={segment} /> : null}
    >
      <LeaveDialog dirty={dirty} text={t.page.leaveText} />
      <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-5">
        <Panel title={t.page.definition} description={t.page.hint}>
          <fieldset disabled={reason !== null} className="@container grid min-w-0 gap-4">
            <legend className="sr-only">{t.page.definition}</legend>
            {form.error ? <ErrorNote error={form.error} /> : null}
            {newer ? (
              <NewerVersionNote
                onShow={() => {
                  setBase(segment);
                  form.set(valuesOf(segment));
                }}
                onKeep={() => setBase(segment)}
              />
            ) : null}
            <Field label={common.name} error={form.problem('name')}>
              <Input
                value={values.name}
                placeholder={t.page.example}
                onBlur={() => form.touch('name')}
                onChange={event => form.set({ name: event.target.value })}
              />
            </Field>
            <RequiredCondition
              value={values.when}
              path="when"
              kinds={KINDS}
              violations={violations}
              onChange={when => form.set({ when })}
            />
          </fieldset>
          <div className="mt-4 grid gap-4 border-t border-line pt-4">
            <MatchLine
              when={conditionInput(values.when)}
              isValid={violations.every(each => !each.path.startsWith('when'))}
            />
            <div className="flex flex-wrap justify-end gap-2">
              {base ? (
                <Button reason={dirty ? null : common.nothingChanged} onClick={() => form.set(valuesOf(base))}>
                  {t.page.undo}
                </Button>
              ) : null}
              <Button
                variant="primary"
                type="submit"
                busy={form.busy}
                reason={reason ?? (dirty || !base ? null : common.nothingChanged)}
              >
                {base ? t.page.save : t.page.create}
              </Button>
            </div>
          </div>
        </Panel>
        {segment ? <UsesPanel segment={segment} /> : null}
      </form>
    </Page>
  );
}

function UsesPanel({ segment }: { segment: Segment }) {
  const { slug } = useWorkspace();
  return (
    <Panel title={t.page.tours}>
      {segment.tours.length === 0 ? (
        <p className="text-sm text-muted">{t.page.noTours}</p>
      ) : (
        <ul className="grid gap-1.5">
          {segment.tours.map(tour => (
            <li key={tour.id}>
              <Link
                to={paths.tour}
                params={{ workspace: slug, tour: tour.slug }}
                className="underline decoration-line underline-offset-2 hover:decoration-current"
              >
                {tour.title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function DeleteButton({ segment }: { segment: Segment }) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const reason = useReason()(MutationSegmentDelete);
  const [remove] = useSegmentDeleteMutation({ refetchQueries: [{ query: Segments, variables: { slug } }] });
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <Button variant="danger" icon="trash" reason={reason} onClick={() => setRemoving(true)}>
        {t.page.delete}
      </Button>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={t.page.deleteTitle(segment.name)}
        action={t.page.deleteSegment}
        onConfirm={async () => {
          const outcome = await runMutation(remove({ variables: { id: segment.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.page.deleted(segment.name));
          void navigate({ to: paths.segments, params: { workspace: slug }, ignoreBlocker: true });
          return null;
        }}
      >
        {t.page.inUse}
      </Confirm>
    </>
  );
}
