import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ToursQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/tour';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { Panel } from '../../shared/ui/Card';
import { Icon } from '../../shared/ui/Icon';
import { firstSteps, type FirstStep } from './first-steps';
import { useWorkspace } from './workspace-context';

const linkStyle = 'font-medium underline underline-offset-2';

/** Steps to the first live tour, for administrators. Not in the sample workspace. */
export function FirstSteps({
  tours,
  onCreate,
}: {
  tours: ToursQuery['tours'];
  /** Opens the dialog for a new tour. Omitted on pages without it. */
  onCreate?: () => void;
}) {
  const { slug: workspace, myRole, sites, sample } = useWorkspace();
  const { done, site, tour } = firstSteps(sites, tours);
  const isComplete = Object.values(done).every(Boolean);
  if (sample || myRole !== 'ADMIN' || isComplete || tours.pageInfo.hasNextPage) return null;
  const names = t.firstSteps.names;
  const links: Readonly<Record<FirstStep, ReactNode>> = {
    site: (
      <Link to={paths.sites} params={{ workspace }} className={linkStyle}>
        {names.site}
      </Link>
    ),
    install: site ? (
      <Link to={paths.site} params={{ workspace, site: site.id }} hash="install" className={linkStyle}>
        {names.install}
      </Link>
    ) : (
      names.install
    ),
    tour: onCreate ? (
      <button type="button" className={linkStyle} onClick={() => onCreate()}>
        {names.tour}
      </button>
    ) : (
      <Link to={paths.tours} params={{ workspace }} className={linkStyle}>
        {names.tour}
      </Link>
    ),
    release: tour ? (
      <Link to={paths.releases} params={{ workspace, tour: tour.slug }} className={linkStyle}>
        {names.release}
      </Link>
    ) : (
      names.release
    ),
  };
  return (
    <Panel title={t.firstSteps.title} description={t.firstSteps.description}>
      <ol className="grid gap-2.5">
        {(Object.keys(links) as FirstStep[]).map(step => (
          <li key={step} className="flex items-start gap-2.5">
            <Icon
              name={done[step] ? 'check' : 'wait'}
              className={cx('mt-1 size-4', done[step] ? 'text-ok' : 'text-muted')}
            />
            <span>
              <span className="sr-only">{done[step] ? t.firstSteps.done : t.firstSteps.open}</span>
              {done[step] ? names[step] : links[step]}
              {done[step] ? null : <span className="block text-sm text-muted">{t.firstSteps.hints[step]}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
