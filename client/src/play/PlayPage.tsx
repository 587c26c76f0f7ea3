// The demo page as a site of its own: the tours released to the site in `?key=` play here, through the same operations
// that every other site uses. Whoever opens it is a visitor; nobody needs to sign in.

import { useState } from 'react';
import { DemoPage } from '../player/DemoPage';
import { useTourSession } from './use-tour-session';
import { newVisitor, visitorId } from './visitor';

const REMEMBERED_KEY = 'waypost.play.key';

/** The site's key: from the address, else the one of the last visit. */
function siteKeyOf(search: string): string | null {
  const given = new URLSearchParams(search).get('key');
  try {
    if (given) localStorage.setItem(REMEMBERED_KEY, given);
    return given ?? localStorage.getItem(REMEMBERED_KEY);
  } catch {
    return given;
  }
}

const BAR_BUTTON = 'rounded-md border border-stone-500 px-2.5 py-1 font-medium hover:bg-stone-700 disabled:opacity-50';

export function PlayPage() {
  const [siteKey] = useState(() => siteKeyOf(location.search));
  const [visitor, setVisitor] = useState(visitorId);
  const session = useTourSession({ siteKey, visitor });

  return (
    <>
      <title>Demo page · Waypost</title>
      <aside aria-label="Demo controls" className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-stone-900 px-4 py-2 text-sm text-white">
        <output className="min-w-0 flex-1 basis-64 text-stone-300">
          {statusOf(siteKey, session)}
        </output>
        {session.tours.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label="Tours for this visitor">
            {session.tours.map(({ slug, title }) => (
              <li key={slug}>
                <button type="button" className={BAR_BUTTON} disabled={session.playing !== null} onClick={() => session.play(slug)}>
                  Play “{title}”
                </button>
              </li>
            ))}
          </ul>
        )}
        <button type="button" className={BAR_BUTTON} onClick={() => setVisitor(newVisitor())}>
          Come as a new visitor
        </button>
      </aside>
      <main>
        <h1 className="sr-only">Demo page</h1>
        <DemoPage />
      </main>
    </>
  );
}

function statusOf(siteKey: string | null, session: ReturnType<typeof useTourSession>): string {
  if (siteKey === null) return 'Demo page. Open it from Sites in Waypost to play the tours of a site here.';
  if (session.error) return `${session.error.message} (${session.error.code})`;
  if (!session.asked) return 'Demo page. Asking for tours…';
  if (session.playing !== null) return 'Demo page. A tour is playing.';
  return session.tours.length === 0 ? 'Demo page. No tour waits for this visitor.' : 'Demo page.';
}
