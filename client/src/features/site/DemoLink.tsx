import type { SiteCard_SiteFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/site';
import { demoPath } from '../../shared/lib/paths';
import { buttonStyle } from '../../shared/ui/button-style';
import { useWorkspace } from '../workspace/workspace-context';

/** Whether the demo page may ask for the tours of a site: it is a page of this installation. */
export const mayPlayOnDemo = ({ origins }: Pick<SiteCard_SiteFragment, 'origins'>): boolean =>
  origins.includes(window.location.origin);

/** Leads to the demo page as a page of the site. */
export function DemoLink({ site }: { site: Pick<SiteCard_SiteFragment, 'key'> }) {
  const { slug } = useWorkspace();
  return (
    <a href={demoPath(site.key, slug)} target="_blank" rel="noreferrer" className={buttonStyle('secondary', 'small')}>
      {t.page.playDemo}
    </a>
  );
}
