/** Format KEY. The generated check would bring all formats into customers' pages. */
const EVENT_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** The limit per day. Pages with more names generate them. */
const MAX_NAMES = 200;

/**
 * True at the first call with a name on a day or, without storage, in a visit. False for names that the server would
 * reject.
 */
export function createReportedEvents(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  key: string,
): (event: string) => boolean {
  let [day, ...names] = String(storage?.getItem(key)).split(' ');
  return event => {
    // UTC.
    const today = new Date().toISOString().slice(0, 10);
    if (day !== today) {
      day = today;
      names = [];
    }
    if (!EVENT_NAME.test(event) || names.includes(event) || names.length >= MAX_NAMES) return false;
    names.push(event);
    try {
      storage?.setItem(key, [day, ...names].join(' '));
    } catch {
      // Reported again at the next visit.
    }
    return true;
  };
}
