// Tracks the event names that this browser has reported today, so that the server receives each name once.

interface ReportedNames {
  /** RFC 3339, in UTC. */
  day: string;
  names: readonly string[];
}

/** The schema's format KEY. The generated check would bring those of all formats into customers' pages. */
const EVENT_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Maximum number of names per day. Pages with more generate their names. */
const MAX_NAMES = 200;

function load(storage: Pick<Storage, 'getItem'> | null, key: string): ReportedNames | null {
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
 * Returns a function that is true at the first call with a name on a day or, without storage, in a visit. It is false
 * for names that the server would reject.
 */
export function createReportedEvents(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  key: string,
  today = () => new Date().toISOString().slice(0, 10),
): (event: string) => boolean {
  let reported = load(storage, key);
  return event => {
    const day = today();
    const names = reported?.day === day ? reported.names : [];
    if (!EVENT_NAME.test(event) || names.includes(event) || names.length >= MAX_NAMES) return false;
    reported = { day, names: [...names, event] };
    try {
      storage?.setItem(key, JSON.stringify(reported));
    } catch {
      // If storage is full or blocked, the name is reported again at the next visit.
    }
    return true;
  };
}
