// The demo page, an application without sign-in. It plays the tours released to the site in `?key=` with the operations
// that every site uses.

import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { newVisitor, traitInputs, visitorId } from '../player/visitor-id';
import { t } from '../shared/i18n/en/demo';
import { cx } from '../shared/lib/class-names';
import { backPath, explainPath, paths } from '../shared/lib/paths';
import { visitorName } from '../shared/lib/visitor-name';
import { ABOVE_TOURS_CLASS, DemoShop, type DemoCustomer } from './DemoShop';
import { useTourSession } from './use-tour-session';

const STORAGE_KEY = 'waypost.play.key';

/** Returns the site key of the address, or else that of the last visit. */
function siteKeyOf(search: string): string | null {
  const fromAddress = new URLSearchParams(search).get('key');
  try {
    if (fromAddress) localStorage.setItem(STORAGE_KEY, fromAddress);
    return fromAddress ?? localStorage.getItem(STORAGE_KEY);
  } catch {
    return fromAddress;
  }
}

const BAR_BUTTON = 'rounded-md border border-stone-500 px-2.5 py-1 font-medium hover:bg-stone-700 disabled:opacity-50';

export function PlayPage() {
  const [siteKey] = useState(() => siteKeyOf(location.search));
  const [visitor, setVisitor] = useState(visitorId);
  const [customer, setCustomer] = useState<DemoCustomer>('guest');
  const traits = useMemo(() => traitInputs({ customer }), [customer]);
  const session = useTourSession({ siteKey, visitor, traits });
  const path = useRouterState({ select: state => state.location.pathname });
  const navigate = useNavigate();

  const name = visitorName({ externalId: null, id: session.visitorId ?? '' });
  const none = session.ready && session.playing === null && session.tours.length === 0 && !session.error;
  const why = none && session.visitorId ? explainPath(location, session.visitorId) : null;

  return (
    <>
      <title>{t.title}</title>
      <aside
        aria-label={t.controls}
        className={cx(
          ABOVE_TOURS_CLASS,
          'relative flex flex-wrap items-center gap-x-4 gap-y-2 bg-stone-900 px-4 py-2 text-sm text-white',
        )}
      >
        <a href={backPath(location)} className="font-medium underline underline-offset-2">
          {t.back}
        </a>
        <output className="min-w-0 flex-1 basis-64 text-stone-300">
          {statusOf(siteKey, session)}{' '}
          {why !== null ? (
            <a href={why} target="_blank" rel="noreferrer" className="font-medium text-white underline">
              {t.seeWhy}
            </a>
          ) : session.visitorId && session.playing === null ? (
            none ? (
              t.searchFor(visitor, name)
            ) : (
              t.listedAs(name)
            )
          ) : null}
        </output>
        {session.tours.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label={t.tours}>
            {session.tours.map(({ slug, title }) => (
              <li key={slug}>
                <button
                  type="button"
                  className={BAR_BUTTON}
                  disabled={session.playing !== null}
                  onClick={() => session.play(slug)}
                >
                  {t.play(title)}
                </button>
              </li>
            ))}
          </ul>
        )}
        <button type="button" className={BAR_BUTTON} onClick={() => setVisitor(newVisitor())}>
          {t.newVisitor}
        </button>
      </aside>
      <main>
        <h1 className="sr-only">{t.heading}</h1>
        <DemoShop
          path={path}
          onGo={to => void navigate({ to: to === paths.playCart ? paths.playCart : paths.play, search: true })}
          customer={customer}
          onCustomer={setCustomer}
        />
      </main>
    </>
  );
}

function statusOf(siteKey: string | null, session: ReturnType<typeof useTourSession>): string {
  if (siteKey === null) return t.noKey;
  if (session.error) return session.error.message;
  if (!session.ready) return t.loading;
  if (session.playing !== null) return t.playing;
  return session.tours.length === 0 ? t.noTour : t.idle;
}
