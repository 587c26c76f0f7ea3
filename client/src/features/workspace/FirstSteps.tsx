import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ToursQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { Panel } from '../../shared/ui/Card';
import { Icon } from '../../shared/ui/Icon';
import { firstSteps, showsFirstSteps, type FirstStep } from './first-steps';
import { useWorkspace } from './workspace-context';

const linkStyle = 'font-medium underline underline-offset-2';

/** Steps to the first live tour, for administrators. Not in the sample workspace. */
export function FirstSteps({ tours }: { tours: ToursQuery['tours'] }) {
  const workspace = useWorkspace();
  if (!showsFirstSteps(workspace, tours)) return null;
  const params = { workspace: workspace.slug };
  const { done, site, tour } = firstSteps(workspace.sites, tours);
  const { names, before } = t.firstSteps;
  const hints = {
    ...t.firstSteps.hints,
    ...(site ? {} : { install: before.install }),
    ...(tour ? {} : { release: before.release }),
  };
  const links: Readonly<Record<FirstStep, ReactNode>> = {
    site: (
      <Link to={paths.sites} params={params} search={{ new: true }} className={linkStyle}>
        {names.site}
      </Link>
    ),
    install: site ? (
      <Link to={paths.site} params={{ ...params, site: site.id }} hash="install" className={linkStyle}>
        {names.install}
      </Link>
    ) : null,
    tour: (
      <Link to={paths.tours} params={params} search={{ new: true }} className={linkStyle}>
        {names.tour}
      </Link>
    ),
    release: tour ? (
      <Link to={paths.releases} params={{ ...params, tour: tour.slug }} className={linkStyle}>
        {names.release}
      </Link>
    ) : null,
  };
  return (
    <div data-tour="start-here">
      <Panel title={t.firstSteps.title} description={t.firstSteps.description}>
        <ol className="grid gap-2.5">
          {(Object.keys(links) as FirstStep[]).map(step => (
            <li key={step} className="flex items-start gap-2.5">
              <Icon
                name={done[step] ? 'done' : 'circle'}
                className={cx('mt-1 size-4', done[step] ? 'text-ok' : 'text-muted')}
              />
              <span>
                <span className="sr-only">{done[step] ? t.firstSteps.done : t.firstSteps.open}</span>
                {done[step] ? names[step] : (links[step] ?? <span className="font-medium">{names[step]}</span>)}
                {done[step] ? null : <span className="block text-sm text-muted">{hints[step]}</span>}
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}
