// Which events of a page the server has not heard of today from this browser, so that it knows their names.

import { hasFormat } from '../generated/traitql';

interface Told {
  /** RFC 3339, in UTC. */
  day: string;
  names: readonly string[];
}

/** More than a site has events: beyond it the names of a day are made up. */
const MAX_NAMES = 200;

function load(storage: Pick<Storage, 'getItem'> | null, key: string): Told | null {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('day' in stored) || !('names' in stored)) return null;
    const { day, names } = stored;
    if (typeof day !== 'string' || !Array.isArray(names)) return null;
    return { day, names: names.filter(name => typeof name === 'string') };
  } catch {
    return null;
  }
}

/**
 * Answers true the first time on a day that a browser is asked about a name; without a storage, in a visit. Names that the
 * server would refuse are no news.
 */
export function createReportedEvents(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  key: string,
  today = () => new Date().toISOString().slice(0, 10),
): (event: string) => boolean {
  let told = load(storage, key);
  return event => {
    const day = today();
    const names = told?.day === day ? told.names : [];
    if (!hasFormat('KEY', event) || names.includes(event) || names.length >= MAX_NAMES) return false;
    told = { day, names: [...names, event] };
    try {
      storage?.setItem(key, JSON.stringify(told));
    } catch {
      // A full or forbidden storage only means that the name is told again at the next visit.
    }
    return true;
  };
}
