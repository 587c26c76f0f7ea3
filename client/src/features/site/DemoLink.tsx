import type { SiteCard_SiteFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/site';
import { demoPath } from '../../shared/lib/paths';
import { buttonStyle } from '../../shared/ui/button-style';
import { useWorkspace } from '../workspace/workspace-context';

/** True if the demo page has this installation's origin. */
export const isDemoAllowed = ({ origins }: Pick<SiteCard_SiteFragment, 'origins'>): boolean =>
  origins.includes(window.location.origin);

export function DemoLink({ site }: { site: Pick<SiteCard_SiteFragment, 'key'> }) {
  const { slug } = useWorkspace();
  return (
    <a href={demoPath(site.key, slug)} target="_blank" rel="noreferrer" className={buttonStyle('secondary', 'small')}>
      {t.page.playDemo}
    </a>
  );
}
