// A sample shop for tours, with the targets of the sample tours, the event `order_placed` and the trait `customer`.

import { useState } from 'react';
import { DEMO_EVENT, dispatchPageEvent } from '../../embed/player/page-event';
import { t } from '../shared/i18n/en/shop';
import { formatShortDay } from '../shared/i18n/format';
import { perLocale } from '../shared/i18n/locale';
import { paths } from '../shared/lib/paths';

const ORDERS = [
  { number: '10482', day: '2026-11-03', items: 'lampAndBulbs', total: 64, state: 'onItsWay' },
  { number: '10455', day: '2026-10-21', items: 'notebook', total: 12.5, state: 'delivered' },
  { number: '10391', day: '2026-10-02', items: 'chair', total: 189, state: 'delivered' },
] as const;

const PRODUCTS = [
  { product: 'desk', price: 320, tint: 'bg-amber-100 dark:bg-amber-950' },
  { product: 'lamp', price: 52, tint: 'bg-sky-100 dark:bg-sky-950' },
  { product: 'rug', price: 145, tint: 'bg-rose-100 dark:bg-rose-950' },
  { product: 'shelf', price: 78, tint: 'bg-emerald-100 dark:bg-emerald-950' },
] as const;

const inEuro = perLocale(tag => new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' }));

const QUIET_BUTTON =
  'rounded-md border border-stone-300 px-3 py-1.5 text-sm font-medium hover:bg-stone-100 dark:border-stone-600 dark:hover:bg-stone-800';

export type DemoCustomer = 'guest' | 'member';

export interface DemoShopProps {
  path: string;
  onGo: (path: string) => void;
  customer: DemoCustomer;
  onCustomer: (customer: DemoCustomer) => void;
}

export function DemoShop({ path, onGo, customer, onCustomer }: DemoShopProps) {
  const [cart, setCart] = useState(1);
  const [search, setSearch] = useState('');

  return (
    <div className="min-h-full bg-stone-50 text-stone-900 dark:bg-stone-950 dark:text-stone-100">
      <header className="border-b border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-3 px-4 py-3">
          <button
            type="button"
            className="mr-2 text-lg font-semibold tracking-tight"
            data-tour="play-home"
            onClick={() => onGo(paths.play)}
          >
            Nordhaus
          </button>
          <label className="order-last w-full sm:order-none sm:w-auto sm:flex-1" data-tour="play-search">
            <span className="sr-only">{t.search}</span>
            <input
              type="search"
              placeholder={t.search}
              value={search}
              onChange={event => setSearch(event.target.value)}
              className="w-full rounded-md border border-stone-300 bg-white px-3 py-1.5 text-sm dark:border-stone-600 dark:bg-stone-950"
            />
          </label>
          <button
            type="button"
            className={`${QUIET_BUTTON} ml-auto sm:ml-0`}
            data-tour="play-cart"
            onClick={() => onGo(paths.playCart)}
          >
            {t.cart(cart)}
          </button>
          <button type="button" className={QUIET_BUTTON} data-tour="play-account">
            {t.account}
          </button>
          <label className="text-sm" data-tour="play-customer">
            <span className="sr-only">{t.customer}</span>
            <select
              value={customer}
              className="rounded-md border border-stone-300 bg-white px-2 py-1.5 dark:border-stone-600 dark:bg-stone-950"
              onChange={event => onCustomer(event.target.value === 'member' ? 'member' : 'guest')}
            >
              <option value="guest">{t.customers.guest}</option>
              <option value="member">{t.customers.member}</option>
            </select>
          </label>
        </div>
      </header>
      <div className="mx-auto max-w-5xl space-y-10 px-4 py-8">
        {path === paths.playCart ? (
          <Cart count={cart} onOrder={() => setCart(0)} />
        ) : (
          <Home search={search} onAdd={() => setCart(cart + 1)} />
        )}
        <p>
          <button type="button" className={QUIET_BUTTON} data-tour="play-help">
            {t.help}
          </button>
        </p>
      </div>
    </div>
  );
}

function Cart({ count, onOrder }: { count: number; onOrder: () => void }) {
  const [ordered, setOrdered] = useState(false);
  return (
    <section aria-labelledby="demo-cart" className="space-y-4">
      <h2 id="demo-cart" className="text-xl font-semibold">
        {t.yourCart}
      </h2>
      {ordered ? (
        <output
          data-tour="play-thanks"
          className="block rounded-lg border border-stone-200 bg-white p-4 dark:border-stone-800 dark:bg-stone-900"
        >
          {t.thanks}
        </output>
      ) : (
        <>
          <p>{t.inCart(count)}</p>
          <button
            type="button"
            className="rounded-md bg-stone-900 px-4 py-2 text-sm font-medium text-white hover:bg-stone-700 dark:bg-stone-100 dark:text-stone-900 dark:hover:bg-stone-300"
            data-tour="play-order"
            onClick={() => {
              setOrdered(true);
              onOrder();
              dispatchPageEvent(DEMO_EVENT);
            }}
          >
            {t.order}
          </button>
        </>
      )}
    </section>
  );
}

function Home({ search, onAdd }: { search: string; onAdd: () => void }) {
  const wanted = search.trim().toLowerCase();
  const products = PRODUCTS.map(each => ({ ...each, name: t.products[each.product] })).filter(({ name }) =>
    name.toLowerCase().includes(wanted),
  );
  return (
    <>
      <section aria-labelledby="demo-products">
        <h2 id="demo-products" className="mb-4 text-xl font-semibold">
          {t.new}
        </h2>
        {products.length === 0 ? (
          <p className="text-stone-600 dark:text-stone-300">{t.nothing(search)}</p>
        ) : (
          <ul className="grid grid-cols-2 gap-4 md:grid-cols-4">
            {products.map(({ product, name, price, tint }) => (
              <li
                key={name}
                className="overflow-hidden rounded-lg border border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900"
              >
                <div className={`h-28 ${tint}`} />
                <div className="space-y-2 p-3">
                  <p className="font-medium">{name}</p>
                  <p className="text-sm text-stone-600 dark:text-stone-300">{inEuro().format(price)}</p>
                  <button
                    type="button"
                    className={`${QUIET_BUTTON} w-full`}
                    data-tour={`play-add-${product}`}
                    onClick={onAdd}
                  >
                    {t.addToCart(<span className="sr-only"> {name}</span>)}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="demo-orders" data-tour="play-orders">
        <h2 id="demo-orders" className="mb-4 text-xl font-semibold">
          {t.yourOrders}
        </h2>
        {/* Focusable, so that the keyboard can scroll a table that is wider than the page (WCAG 2.1.1). */}
        <section
          className="overflow-x-auto rounded-lg border border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900"
          aria-label={t.orderList}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <table className="w-full min-w-lg text-left text-sm">
            <thead className="border-b border-stone-200 text-stone-600 dark:border-stone-800 dark:text-stone-300">
              <tr>
                {Object.values(t.columns).map(title => (
                  <th key={title} scope="col" className="px-4 py-2 font-medium">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ORDERS.map(({ number, day, items, total, state }) => (
                <tr key={number} className="border-b border-stone-100 last:border-0 dark:border-stone-800">
                  <td className="px-4 py-2 tabular-nums">{number}</td>
                  <td className="px-4 py-2">{formatShortDay(day)}</td>
                  <td className="px-4 py-2">{t.orders[items]}</td>
                  <td className="px-4 py-2 tabular-nums">{inEuro().format(total)}</td>
                  <td className="px-4 py-2">{t.states[state]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </section>
    </>
  );
}

/** The z-index above the layers of a tour, so that the controls that end it are never dimmed. */
export const ABOVE_TOURS_CLASS = 'z-[100000001]';
