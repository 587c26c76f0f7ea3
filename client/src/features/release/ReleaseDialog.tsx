import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTourReleaseMutation } from '../../generated/hooks';
import type { TourReleasesQuery } from '../../generated/operations';
import { TourReleaseInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { localizeMessage } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/release';
import { formatList } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Button } from '../../shared/ui/Button';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Checkbox, Field, Input } from '../../shared/ui/Field';
import { Icon } from '../../shared/ui/Icon';
import { toast } from '../../shared/ui/toast';
import { BeforeRelease } from '../review/BeforeRelease';
import { isNotInstalled } from '../tour/awaits-installation';
import { revisionToReleaseAgain, releasesBySite } from '../tour/site-releases';
import { useTour } from '../tour/tour-context';
import { BuiltIn } from '../workspace/BuiltIn';
import { useWorkspace } from '../workspace/workspace-context';
import { ImpactPanel } from './ImpactPanel';
import { useReleaseRefetchOptions } from './release-actions';
import {
  defaultTerms,
  initialSites,
  isEmptySchedule,
  previousTerms,
  termsInput,
  termsOf,
  formatTerms,
  type Terms,
} from './terms';
import { TermsFields } from './TermsFields';

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
  const again = revisionToReleaseAgain(tour);
  const now = useNow();
  const replacesRelease = releasesBySite(tour.workspace.sites, tour.releases, now).some(each => each.open);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={again ? t.dialog.titleAgain(again.number) : t.dialog.title(tour.draft.number)}
      description={[
        again ? t.dialog.descriptionAgain : t.dialog.description,
        ...(replacesRelease ? [t.dialog.replaces] : []),
      ].join(' ')}
    >
      <ReleaseForm tour={tour} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface Values extends Terms {
  readonly siteIds: readonly string[];
  readonly endActiveRuns: boolean;
  readonly note: string;
}

function ReleaseForm({ tour, onDone }: { tour: Tour; onDone: () => void }) {
  const { sites } = tour.workspace;
  const { sample } = useWorkspace();
  const [release] = useTourReleaseMutation(useReleaseRefetchOptions());
  const now = useNow();
  const [previous] = useState(() => {
    const bySite = releasesBySite(sites, tour.releases, now);
    return previousTerms(
      bySite.flatMap(({ open }) => open ?? []),
      bySite.flatMap(({ history }) => history),
    );
  });
  const inputOf = (values: Values) => ({
    tourId: tour.id,
    expectedVersion: tour.draft.version,
    siteIds: [...values.siteIds],
    ...termsInput(values, previous?.before),
    endActiveRuns: values.endActiveRuns,
    note: values.note.trim() || null,
  });
  const initial: Values = {
    ...(previous ? termsOf(previous.before) : defaultTerms),
    siteIds: previous?.siteIds ?? initialSites(sites),
    endActiveRuns: false,
    note: '',
  };
  const form = useForm({
    initial,
    check: values => checkInput(TourReleaseInputRules, inputOf(values)),
    send: async values => {
      const outcome = await runMutation(release({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      const chosen = sites.filter(site => values.siteIds.includes(site.id));
      const names = formatList(chosen.map(site => site.name));
      const isWaiting = chosen.every(site => isNotInstalled(site, sample));
      toast(isWaiting ? t.dialog.released(tour.title, names) : t.dialog.nowLive(tour.title, names));
      onDone();
      return null;
    },
  });
  const { values } = form;
  const input = termsInput(values, previous?.before);
  const { startsAt, rolloutPercent, holdoutPercent } = input;
  const terms = formatTerms(input);
  const schedule = isEmptySchedule(values, now) ? t.terms.endFirst : null;
  const { start } = useTour().draft;
  const startEvent = start.trigger === 'EVENT' ? start.event : null;
  const blockers = tour.draft.problems.filter(each => each.severity === 'BLOCKER');
  const ownSites = sites.filter(site => site.own);
  const siteField = (site: Tour['workspace']['sites'][number]) => (
    <Checkbox
      key={site.id}
      label={site.name}
      hint={site.own ? t.dialog.own : isNotInstalled(site, sample) ? t.dialog.notInstalled : undefined}
      checked={form.values.siteIds.includes(site.id)}
      onChange={event =>
        form.set({
          siteIds: event.target.checked
            ? [...form.values.siteIds, site.id]
            : form.values.siteIds.filter(each => each !== site.id),
        })
      }
    />
  );
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <Problems tour={tour} />
      <BeforeRelease isReleasedAgain={revisionToReleaseAgain(tour) !== null} />
      {form.error ? <ErrorNote error={form.error} /> : null}
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 text-sm font-medium">{t.dialog.sites}</legend>
        {sites.filter(site => !site.own).map(siteField)}
        {ownSites.length > 0 ? (
          <BuiltIn open={ownSites.some(site => initial.siteIds.includes(site.id))}>
            <div className="grid gap-2.5">{ownSites.map(siteField)}</div>
          </BuiltIn>
        ) : null}
        {previous ? (
          <p className="text-sm text-muted">{previous.isCurrent ? t.dialog.sameAsCurrent : t.dialog.sameAsLast}</p>
        ) : null}
        {form.problem('siteIds') ? <p className="text-sm text-danger">{t.dialog.chooseSite}</p> : null}
      </fieldset>
      <details className="rounded-control border border-line">
        <summary className="rounded-control px-3 py-2.5 text-sm">
          <span>
            <span className="font-medium">{t.terms.title}</span>:{' '}
            {terms.length > 0 ? terms.join(' · ') : t.terms.allVisitors}
          </span>
        </summary>
        <div className="grid gap-4 border-t border-line p-3">
          <TermsFields terms={values} problem={schedule} startEvent={startEvent} onChange={form.set} />
          <Checkbox
            label={t.terms.endActiveRuns}
            hint={t.terms.endActiveRunsHint}
            checked={values.endActiveRuns}
            onChange={event => form.set({ endActiveRuns: event.target.checked })}
          />
        </div>
      </details>
      <ImpactPanel
        plan={{
          tourId: tour.id,
          siteIds: [...values.siteIds],
          revisionId: (revisionToReleaseAgain(tour) ?? tour.draft).id,
          rolloutPercent,
          holdoutPercent,
          endActiveRuns: values.endActiveRuns,
        }}
        pendingAction={{ kind: 'release', startsAt, endActiveRuns: values.endActiveRuns }}
      />
      <Field label={t.dialog.note} hint={t.dialog.noteHint} error={form.problem('note')} optional>
        <Input
          value={form.values.note}
          onChange={event => form.set({ note: event.target.value })}
          onBlur={() => form.touch('note')}
        />
      </Field>
      <Actions>
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button
          variant="primary"
          type="submit"
          busy={form.busy}
          reason={blockers.length > 0 ? t.dialog.solveFirst : schedule}
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
      <p className="font-medium">{blocked ? t.dialog.blockers : t.dialog.warnings}</p>
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
              {localizeMessage(each.code, each.message)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
