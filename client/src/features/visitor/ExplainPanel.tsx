import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useExplainLazyQuery } from '../../generated/hooks';
import type { ExplainQuery, IneligibleReason } from '../../generated/operations';
import { toAppError } from '../../shared/api/app-error';
import { t } from '../../shared/i18n/en/explain';
import { formatPercent } from '../../shared/i18n/format';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { Icon } from '../../shared/ui/Icon';
import type { TourChoice } from '../tour/tour-choices';
import { TourPicker } from '../tour/TourPicker';
import { useWorkspace } from '../workspace/workspace-context';

type Explanation = ExplainQuery['explain'];
type EligibilityResult = Explanation['checks'][number];

interface Shown {
  readonly explanation: Explanation;
  readonly tour: TourChoice;
}

/** Explains why a tour would start, or why not. `page` is the initial address, and `tour` the initial tour. */
export function ExplainPanel({
  visitorId,
  siteId,
  page,
  tour: initialTour,
}: {
  visitorId: string;
  siteId: string;
  page: string;
  tour: TourChoice | null;
}) {
  const [chosen, setChosen] = useState<TourChoice | null>(null);
  const [url, setUrl] = useState(page);
  const [submitted, setSubmitted] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const [explain, { error, loading }] = useExplainLazyQuery({ fetchPolicy: 'network-only' });
  const tour = chosen ?? initialTour;
  const isAddress = /^https?:\/\//i.test(url) && URL.canParse(url);
  return (
    <Panel title={t.title} description={t.description}>
      <div className="grid gap-4">
        <form
          noValidate
          className="flex flex-wrap items-start gap-3"
          onSubmit={async event => {
            event.preventDefault();
            setSubmitted(true);
            if (!tour || !isAddress) return;
            // The hook returns the error.
            const result = await explain({ variables: { visitorId, tourId: tour.id, url } }).catch(() => null);
            setShown(result?.data ? { explanation: result.data.explain, tour } : null);
          }}
        >
          <Field label={t.tour} error={submitted && !tour ? t.noTour : null} className="min-w-48 grow basis-48">
            <TourPicker value={tour} onChange={setChosen} />
          </Field>
          <Field
            label={t.page}
            hint={t.pageHint}
            error={submitted && !isAddress ? t.noAddress : null}
            className="min-w-0 grow-2 basis-72"
          >
            <Input type="url" inputMode="url" value={url} onChange={event => setUrl(event.target.value)} />
          </Field>
          <Button type="submit" variant="primary" busy={loading} className="mt-6.5">
            {t.submit}
          </Button>
        </form>
        {error ? <ErrorNote error={toAppError(error)} /> : null}
        <div aria-live="polite">{shown && !error ? <ExplanationView {...shown} siteId={siteId} /> : null}</div>
      </div>
    </Panel>
  );
}

/** Shows the first failed check, because it has to be fixed first. */
export function ExplanationView({ explanation, tour, siteId }: Shown & { siteId: string }) {
  const { wouldPlay, resumes, checks } = explanation;
  const site = useWorkspace().sites.find(each => each.id === siteId)?.name ?? '';
  const [first, ...others] = checks.filter(({ passed }) => !passed);
  const met = checks.filter(({ passed }) => passed);
  return (
    <div className="grid gap-4">
      <div className={cx('flex gap-3 rounded-control p-4 sm:p-5', wouldPlay ? 'bg-ok-soft' : 'bg-signal-soft')}>
        <Icon
          name={wouldPlay ? 'check' : 'warning'}
          className={cx('mt-0.5 size-6', wouldPlay ? 'text-ok' : 'text-signal-ink')}
        />
        <div className="min-w-0">
          {first ? (
            <>
              <p className="text-sm font-medium text-signal-ink">{t.names[first.check]}</p>
              <h3 className="text-lg font-semibold text-balance break-words">{whyOf(first, site)}</h3>
              <p className="mt-0.5">{t.doesNotStart}</p>
              {first.reason ? <Fix reason={first.reason} tour={tour} siteId={siteId} /> : null}
            </>
          ) : (
            <h3 className="text-lg font-semibold text-balance">{resumes ? t.resumes : t.starts}</h3>
          )}
        </div>
      </div>
      {others.length > 0 ? (
        <div>
          <h3 id="explain-others" className="text-sm font-medium">
            {t.alsoNotMet}
          </h3>
          <ol aria-labelledby="explain-others" className="mt-1 grid">
            {others.map(check => (
              <CheckRow key={check.check} check={check} tour={tour} siteId={siteId} site={site} />
            ))}
          </ol>
        </div>
      ) : null}
      {met.length > 0 ? (
        <details>
          <summary className="inline-flex min-h-8 text-sm font-medium text-muted hover:text-ink">
            {t.met(met.length)}
          </summary>
          <ol aria-label={t.met(met.length)} className="mt-1 grid">
            {met.map(check => (
              <CheckRow key={check.check} check={check} tour={tour} siteId={siteId} site={site} />
            ))}
          </ol>
        </details>
      ) : null}
    </div>
  );
}

function CheckRow({
  check,
  tour,
  siteId,
  site,
}: {
  check: EligibilityResult;
  tour: TourChoice;
  siteId: string;
  site: string;
}) {
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 border-b border-line py-2.5 last:border-b-0 sm:grid-cols-[1rem_8rem_minmax(0,1fr)]">
      <Icon
        name={check.passed ? 'check' : 'warning'}
        className={cx('mt-1 size-4', check.passed ? 'text-ok' : 'text-signal-ink')}
      />
      <span className="font-medium">{t.names[check.check]}</span>
      <span className="col-start-2 min-w-0 break-words sm:col-start-3">
        {whyOf(check, site)}
        {check.reason ? <Fix reason={check.reason} tour={tour} siteId={siteId} /> : null}
      </span>
    </li>
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
      className="mt-1 block underline decoration-edge underline-offset-2 hover:decoration-current"
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
