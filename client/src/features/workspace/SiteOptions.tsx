import { t } from '../../shared/i18n/en/ui';
import { useWorkspace } from './workspace-context';

/** The options of a `Select` for the workspace's sites. Waypost's own site is in a group at the end. */
export function SiteOptions() {
  const { sites } = useWorkspace();
  const own = sites.filter(site => site.own);
  const options = (list: typeof sites) =>
    list.map(site => (
      <option key={site.id} value={site.id}>
        {site.name}
      </option>
    ));
  return (
    <>
      {options(sites.filter(site => !site.own))}
      {own.length > 0 ? <optgroup label={t.builtIn}>{options(own)}</optgroup> : null}
    </>
  );
}
