import { useReleaseImpactQuery } from '../../generated/hooks';
import type { ReleasePlanInput } from '../../generated/operations';
import { t } from '../../shared/i18n/en/release';
import { formatCount } from '../../shared/i18n/format';
import { useNow, useDebouncedValue } from '../../shared/lib/hooks';
import { Loaded } from '../../shared/ui/Loaded';
import { formatImpact, type PendingAction, type Impact } from './format-impact';

/** Debounced while the plan changes. */
export function ImpactPanel({ plan, pendingAction }: { plan: ReleasePlanInput; pendingAction: PendingAction }) {
  const debouncedPlan = useDebouncedValue(plan);
  const result = useReleaseImpactQuery({
    variables: { plan: debouncedPlan },
    fetchPolicy: 'cache-and-network',
    skip: debouncedPlan.siteIds.length === 0,
  });
  const now = useNow();
  if (plan.siteIds.length === 0) return null;
  return (
    <section aria-labelledby="impact" className="rounded-control border border-line bg-sunken p-4">
      <h3 id="impact" className="font-semibold">
        {t.impact.title}
      </h3>
      <Loaded result={{ ...result, data: result.data ?? result.previousData }} label={t.impact.loading} rows={3}>
        {({ releaseImpact }) => (
          <ul className="mt-2 grid gap-4">
            {releaseImpact.map(impact => (
              <li key={impact.site.id}>
                <SiteImpact impact={impact} pendingAction={pendingAction} now={now} named={releaseImpact.length > 1} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function SiteImpact({
  impact,
  pendingAction,
  now,
  named,
}: {
  impact: Impact;
  pendingAction: PendingAction;
  now: number;
  named: boolean;
}) {
  const formatted = formatImpact(impact, pendingAction, now);
  return (
    <div className="text-sm">
      {named ? <h4 className="font-semibold">{impact.site.name}</h4> : null}
      <p>{formatted.liveRevision}</p>
      {formatted.steps.length > 0 ? (
        <ul className="mt-1 list-disc pl-5">
          {formatted.steps.map(each => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      ) : null}
      <p className="mt-1">{formatted.activeRuns}</p>
      {impact.after.visitors === 0 ? (
        <p className="mt-1 text-muted">{t.impact.noVisitors}</p>
      ) : (
        <table className="mt-2 w-full">
          <caption className="pb-1 text-left text-muted">{t.impact.visitors(impact.after.visitors)}</caption>
          <thead>
            <tr className="text-right text-muted">
              <th scope="col" className="text-left font-normal">
                {t.impact.part}
              </th>
              <th scope="col" className="w-16 font-normal">
                {t.impact.before}
              </th>
              <th scope="col" className="w-16 font-normal">
                {t.impact.after}
              </th>
            </tr>
          </thead>
          <tbody>
            {formatted.audience.map(each => (
              <tr key={each.part} className="border-t border-line text-right tabular-nums">
                <th scope="row" className="py-1 pr-2 text-left font-normal">
                  {each.part}
                </th>
                <td className="text-muted">{formatCount(each.before)}</td>
                <td className={each.before === each.after ? 'text-muted' : 'font-semibold'}>
                  {formatCount(each.after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
