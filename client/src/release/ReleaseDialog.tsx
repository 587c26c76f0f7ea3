import { Link } from '@tanstack/react-router';
import { act } from '../api/act';
import { retold } from '../api/errors';
import { useTourReleaseMutation } from '../generated/hooks';
import type { TourReleasesQuery } from '../generated/operations';
import { TourReleaseInputRules } from '../generated/rules';
import { checkInput } from '../generated/traitql';
import { formatList } from '../lib/format';
import { useForm } from '../lib/use-form';
import { paths } from '../paths';
import { t as common } from '../texts/common';
import { t } from '../texts/release';
import { Button } from '../ui/Button';
import { Actions, Dialog } from '../ui/Dialog';
import { ErrorNote } from '../ui/ErrorPanel';
import { Checkbox, Field, Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { toast } from '../ui/toast';
import { useWorkspace } from '../workspace/workspace-context';
import { useReleasesAgain } from './release-actions';

type Tour = NonNullable<TourReleasesQuery['tourBySlug']>;

export function ReleaseDialog({
  tour,
  open,
  onOpenChange,
}: {
  tour: Tour;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t.dialog.title(tour.draft.number)}
      description={t.dialog.description}
    >
      <ReleaseForm tour={tour} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ReleaseForm({ tour, onDone }: { tour: Tour; onDone: () => void }) {
  const { sites } = tour.workspace;
  const [release] = useTourReleaseMutation(useReleasesAgain());
  const inputOf = (values: { siteIds: readonly string[]; note: string }) => ({
    tourId: tour.id,
    expectedVersion: tour.draft.version,
    siteIds: [...values.siteIds],
    note: values.note.trim() || null,
  });
  const form = useForm({
    initial: { siteIds: sites.length === 1 ? sites.map(site => site.id) : ([] as readonly string[]), note: '' },
    check: values => checkInput(TourReleaseInputRules, inputOf(values)),
    send: async values => {
      const outcome = await act(release({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      const names = sites.filter(site => values.siteIds.includes(site.id)).map(site => site.name);
      toast(t.dialog.playsNow(tour.title, formatList(names)));
      onDone();
      return null;
    },
  });
  const blockers = tour.draft.problems.filter(each => each.severity === 'BLOCKER');
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <Problems tour={tour} />
      {form.error ? <ErrorNote error={form.error} /> : null}
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 text-sm font-medium">{t.dialog.sites}</legend>
        {sites.map(site => (
          <Checkbox
            key={site.id}
            label={site.name}
            hint={site.lastSeenAt ? undefined : t.dialog.unseen}
            checked={form.values.siteIds.includes(site.id)}
            onChange={event =>
              form.set({
                siteIds: event.target.checked
                  ? [...form.values.siteIds, site.id]
                  : form.values.siteIds.filter(each => each !== site.id),
              })
            }
          />
        ))}
        {form.problem('siteIds') ? <p className="text-sm text-danger">{t.dialog.chooseSite}</p> : null}
      </fieldset>
      <Field label={t.dialog.note} hint={t.dialog.noteHint} error={form.problem('note')} optional>
        <Input
          value={form.values.note}
          onChange={event => form.set({ note: event.target.value })}
          onBlur={() => form.leave('note')}
        />
      </Field>
      <Actions>
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button
          variant="primary"
          type="submit"
          busy={form.busy}
          reason={blockers.length > 0 ? t.dialog.solveFirst : null}
        >
          {t.dialog.submit}
        </Button>
      </Actions>
    </form>
  );
}

function Problems({ tour }: { tour: Tour }) {
  const { slug: workspace } = useWorkspace();
  const { problems } = tour.draft;
  if (problems.length === 0) return null;
  const blocked = problems.some(each => each.severity === 'BLOCKER');
  return (
    <div className={blocked ? 'rounded-control bg-danger-soft p-3' : 'rounded-control bg-signal-soft p-3'}>
      <p className="font-medium">{blocked ? t.dialog.solveThese : t.dialog.thinkAbout}</p>
      <ul aria-label={t.dialog.problems} className="mt-2 grid gap-1 text-sm">
        {problems.map(each => (
          <li key={`${each.code}-${each.stepKey ?? ''}`}>
            <Link
              to={paths.tour}
              params={{ workspace, tour: tour.slug }}
              search={each.stepKey ? { step: each.stepKey } : {}}
              className="flex items-start gap-2 underline-offset-2 hover:underline"
            >
              <Icon name="warning" className="mt-0.5 size-4" />
              {retold(each.code, each.message)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
