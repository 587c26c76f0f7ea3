/** What the pages of the workspace's sites tell of: the names from which a goal or a rule is chosen. */
import { useSiteEventsQuery } from '../../generated/hooks';
import { useVisible } from '../../shared/lib/visible';
import { useWorkspace } from '../workspace/workspace-context';

/** How often the pages are asked anew: an event that one has just told of can be chosen soon. */
const EVERY_MS = 30_000;

/** In the order of their names, each once; null as long as nobody knows. */
export function useHeardEvents(): readonly string[] | null {
  const { slug } = useWorkspace();
  const { data } = useSiteEventsQuery({
    variables: { slug },
    fetchPolicy: 'cache-and-network',
    pollInterval: useVisible() ? EVERY_MS : 0,
  });
  const sites = data?.workspace?.sites;
  return sites ? [...new Set(sites.flatMap(site => site.events.map(event => event.name)))].toSorted() : null;
}
