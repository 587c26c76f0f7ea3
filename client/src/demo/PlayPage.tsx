// The demo page contains the snippet for customers' pages, with the site key in `?key=`, and a bar that shows what
// Waypost offers to its visitor.

import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { start } from '../../embed/packages/browser/src/index';
import { t } from '../shared/i18n/en/demo';
import { backPath, explainPath, paths } from '../shared/lib/paths';
import { visitorName } from '../shared/lib/visitor-name';
import { DemoShop, type DemoCustomer } from './DemoShop';
import { type DemoVisit, useDemoVisit } from './use-demo-visit';

const STORAGE_KEY = 'waypost.play.key';

/** Prefers the key in the address over that of the last visit. */
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
  const [customer, setCustomer] = useState<DemoCustomer>('guest');
  const visit = useDemoVisit(siteKey, customer);
  const path = useRouterState({ select: state => state.location.pathname });
  const navigate = useNavigate();

  const { offer, playing } = visit;
  const name = visitorName({ externalId: null, id: offer?.visitorId ?? '' });
  const none = offer?.tours.length === 0 && !playing;
  const why = none && offer.visitorId ? explainPath(location, offer.visitorId) : null;

  return (
    <>
      <title>{t.title}</title>
      {siteKey !== null && <script async src="/embed/v1.js" data-key={siteKey} />}
      <aside
        aria-label={t.controls}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 bg-stone-900 px-4 py-2 text-sm text-white"
      >
        <a href={backPath(location)} className="font-medium underline underline-offset-2">
          {t.back}
        </a>
        <button type="button" className={`${BAR_BUTTON} ml-auto sm:ml-0`} onClick={visit.reset}>
          {t.newVisitor}
        </button>
        <output className="min-w-0 flex-1 basis-64 text-stone-300">
          {statusOf(siteKey, visit)}{' '}
          {why !== null ? (
            <a href={why} target="_blank" rel="noreferrer" className="font-medium text-white underline">
              {t.seeWhy}
            </a>
          ) : offer?.visitorId && !playing ? (
            none ? (
              t.searchFor(visit.anonymousId, name)
            ) : (
              t.listedAs(name)
            )
          ) : null}
        </output>
        {offer && offer.tours.length > 0 && (
          <ul className="flex w-full gap-2 overflow-x-auto py-1 sm:w-auto sm:flex-wrap" aria-label={t.tours}>
            {offer.tours.map(({ slug, title }) => (
              <li key={slug} className="shrink-0">
                <button type="button" className={BAR_BUTTON} disabled={playing} onClick={() => start(slug)}>
                  {t.play(title)}
                </button>
              </li>
            ))}
          </ul>
        )}
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

function statusOf(siteKey: string | null, { offer, playing, error }: DemoVisit): string {
  if (siteKey === null) return t.noKey;
  if (error) return error.message;
  if (!offer) return t.loading;
  if (playing) return t.playing;
  return offer.tours.length === 0 ? t.noTour : t.idle;
}
