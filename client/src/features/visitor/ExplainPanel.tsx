import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useExplainLazyQuery } from '../../generated/hooks';
import type { ExplainQuery, IneligibleReason } from '../../generated/operations';
import { toAppError } from '../../shared/api/app-error';
import { t } from '../../shared/i18n/en/explain';
import { formatList, formatPercent } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { Badge, StatusDot } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input, Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { useTourChoices, type TourChoice } from '../tour/tour-choices';
import { useWorkspace } from '../workspace/workspace-context';

type Explanation = ExplainQuery['explain'];
type EligibilityResult = Explanation['checks'][number];

/** Explains why a tour would start, or why not. `page` is the initial address. */
export function ExplainPanel({ visitorId, siteId, page }: { visitorId: string; siteId: string; page: string }) {
  const choices = useTourChoices();
  return (
    <Panel title={t.title} description={t.description}>
      <Loaded result={choices} label={t.title} rows={1}>
        {tours =>
          tours.length === 0 ? (
            <p className="text-muted">{t.noTours}</p>
          ) : (
            <ExplainForm visitorId={visitorId} siteId={siteId} page={page} tours={tours} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function ExplainForm({
  visitorId,
  siteId,
  page,
  tours,
}: {
  visitorId: string;
  siteId: string;
  page: string;
  tours: readonly TourChoice[];
}) {
  const [tourId, setTourId] = useState((tours.find(tour => isLiveOn(tour, siteId)) ?? tours[0])?.id ?? '');
  const [url, setUrl] = useState(page);
  const [invalid, setInvalid] = useState(false);
  const [explain, { data, error, loading, variables }] = useExplainLazyQuery({ fetchPolicy: 'network-only' });
  const explainedTour = tours.find(({ id }) => id === variables?.tourId);
  return (
    <div className="grid gap-4">
      <form
        noValidate
        className="flex flex-wrap items-start gap-3"
        onSubmit={event => {
          event.preventDefault();
          const isValid = /^https?:\/\//i.test(url) && URL.canParse(url);
          setInvalid(!isValid);
          // The hook returns the error.
          if (isValid) void explain({ variables: { visitorId, tourId, url } }).catch(() => undefined);
        }}
      >
        <Field label={t.tour} className="min-w-48 grow basis-48">
          <Select value={tourId} onChange={event => setTourId(event.target.value)}>
            {tours.map(tour => (
              <option key={tour.id} value={tour.id}>
                {tour.title}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={t.page}
          hint={t.pageHint}
          error={invalid ? t.noAddress : null}
          className="min-w-0 grow-2 basis-72"
        >
          <Input type="url" inputMode="url" value={url} onChange={event => setUrl(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" busy={loading} className="mt-6.5">
          {t.submit}
        </Button>
      </form>
      {error ? <ErrorNote error={toAppError(error)} /> : null}
      <div aria-live="polite">
        {data && explainedTour ? (
          <ExplanationView explanation={data.explain} tour={explainedTour} siteId={siteId} />
        ) : null}
      </div>
    </div>
  );
}

const isLiveOn = ({ open }: TourChoice, siteId: string): boolean =>
  open.some(({ site, state }) => site.id === siteId && state === 'LIVE');

function ExplanationView({
  explanation,
  tour,
  siteId,
}: {
  explanation: Explanation;
  tour: TourChoice;
  siteId: string;
}) {
  const { wouldPlay, resumes, checks } = explanation;
  const site = useWorkspace().sites.find(each => each.id === siteId)?.name ?? '';
  const [first, ...others] = checks.filter(({ passed }) => !passed);
  return (
    <div className="grid gap-3">
      <p className="font-semibold">
        <StatusDot tone={wouldPlay ? 'ok' : 'signal'}>
          {wouldPlay ? (resumes ? t.resumes : t.starts) : t.doesNotStart}
        </StatusDot>
        {first ? (
          <span className="block font-normal">
            {whyOf(first, site)}{' '}
            {others.length > 0 ? t.alsoFailed(formatList(others.map(({ check }) => t.names[check]))) : null}
          </span>
        ) : null}
      </p>
      <ol aria-label={t.checks} className="grid gap-px overflow-hidden rounded-control border border-line bg-line">
        {checks.map(check => (
          <li
            key={check.check}
            className="grid gap-x-4 gap-y-1 bg-surface px-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
          >
            <span className="font-medium">{t.names[check.check]}</span>
            <span className="min-w-0 break-words">
              {whyOf(check, site)}
              {check.reason ? <Fix reason={check.reason} tour={tour} siteId={siteId} /> : null}
            </span>
            <span>
              <Badge tone={check.passed ? 'ok' : 'signal'}>{check.passed ? t.passed : t.failed}</Badge>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const fixPages = {
  ORIGIN_NOT_ALLOWED: 'site',
  NOT_RELEASED: 'releases',
  PAUSED: 'releases',
  NOT_YET: 'releases',
  OVER: 'releases',
  IN_HOLDOUT: 'releases',
  BEYOND_ROLLOUT: 'releases',
  SEEN: 'tour',
  SEEN_RECENTLY: 'tour',
  CONDITION_FAILS: 'tour',
  COOLDOWN: 'tour',
  OTHER_PAGE: 'tour',
  MANUAL: 'tour',
  WAITS_FOR_EVENT: 'tour',
  OTHER_TOUR_FIRST: 'tour',
  PLAYER_FAILED: 'site',
  ELEMENT_MISSING: 'tour',
} as const satisfies Readonly<Record<IneligibleReason, 'releases' | 'site' | 'tour'>>;

function Fix({ reason, tour, siteId }: { reason: IneligibleReason; tour: TourChoice; siteId: string }) {
  const { slug: workspace } = useWorkspace();
  const page = fixPages[reason];
  const { fix } = t.reasons[reason];
  return (
    <Link
      to={paths[page]}
      params={{ workspace, tour: tour.slug, site: siteId }}
      className="block text-sm underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {fix}
    </Link>
  );
}

function whyOf({ check, reason, at, expected, found }: EligibilityResult, site: string): string {
  if (!reason) return t.passes[check];
  const why = t.reasons[reason].why({ at: at ?? '', expected: expected ?? '', found: found ?? '', site });
  if (reason === 'BEYOND_ROLLOUT' && expected) return `${why} ${t.rollout(formatPercent(Number(expected) / 100))}`;
  if (reason === 'SEEN' && expected) return `${why} ${t.rule(t.frequencies[expected] ?? expected)}`;
  return why;
}
