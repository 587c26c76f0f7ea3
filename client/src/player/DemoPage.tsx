// A page like those that tours run on: a small shop. The targets of the sample tours are here, each by its `data-tour` name.

import { useState } from 'react';

const ORDERS = [
  { number: '10482', date: '3 November', items: 'Desk lamp, 2 bulbs', total: '€ 64.00', state: 'On its way' },
  { number: '10455', date: '21 October', items: 'Notebook, A5', total: '€ 12.50', state: 'Delivered' },
  { number: '10391', date: '2 October', items: 'Office chair', total: '€ 189.00', state: 'Delivered' },
];

const PRODUCTS = [
  { name: 'Oak desk', price: '€ 320.00', tint: 'bg-amber-100 dark:bg-amber-950' },
  { name: 'Desk lamp', price: '€ 52.00', tint: 'bg-sky-100 dark:bg-sky-950' },
  { name: 'Wool rug', price: '€ 145.00', tint: 'bg-rose-100 dark:bg-rose-950' },
  { name: 'Wall shelf', price: '€ 78.00', tint: 'bg-emerald-100 dark:bg-emerald-950' },
];

const QUIET_BUTTON =
  'rounded-md border border-stone-300 px-3 py-1.5 text-sm font-medium hover:bg-stone-100 dark:border-stone-600 dark:hover:bg-stone-800';

export function DemoPage() {
  const [cart, setCart] = useState(1);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const products = PRODUCTS.filter(({ name }) => name.toLowerCase().includes(wanted));

  return (
    <div className="min-h-full bg-stone-50 text-stone-900 dark:bg-stone-950 dark:text-stone-100">
      <header className="border-b border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-3 px-4 py-3">
          <span className="mr-2 text-lg font-semibold tracking-tight">Nordhaus</span>
          <label className="order-last w-full sm:order-none sm:w-auto sm:flex-1" data-tour="play-search">
            <span className="sr-only">Search products</span>
            <input
              type="search"
              placeholder="Search products"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              className="w-full rounded-md border border-stone-300 bg-white px-3 py-1.5 text-sm dark:border-stone-600 dark:bg-stone-950"
            />
          </label>
          <button type="button" className={`${QUIET_BUTTON} ml-auto sm:ml-0`} data-tour="play-cart">
            Cart ({cart})
          </button>
          <button type="button" className={QUIET_BUTTON} data-tour="play-account">
            My account
          </button>
        </div>
      </header>
      <div className="mx-auto max-w-5xl space-y-10 px-4 py-8">
        <section aria-labelledby="demo-products">
          <h2 id="demo-products" className="mb-4 text-xl font-semibold">
            New this week
          </h2>
          {products.length === 0 ? (
            <p className="text-stone-600 dark:text-stone-300">Nothing is called “{search}”.</p>
          ) : (
            <ul className="grid grid-cols-2 gap-4 md:grid-cols-4">
              {products.map(({ name, price, tint }) => (
                <li key={name} className="overflow-hidden rounded-lg border border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900">
                  <div className={`h-28 ${tint}`} />
                  <div className="space-y-2 p-3">
                    <p className="font-medium">{name}</p>
                    <p className="text-sm text-stone-600 dark:text-stone-300">{price}</p>
                    <button type="button" className={`${QUIET_BUTTON} w-full`} onClick={() => setCart(cart + 1)}>
                      Add<span className="sr-only"> {name}</span> to cart
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="demo-orders" data-tour="play-orders">
          <h2 id="demo-orders" className="mb-4 text-xl font-semibold">
            Your orders
          </h2>
          {/* Focusable, so that a keyboard can scroll it where the table is wider than the page (WCAG 2.1.1). */}
          <section
            className="overflow-x-auto rounded-lg border border-stone-200 bg-white dark:border-stone-800 dark:bg-stone-900"
            aria-label="List of orders"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            <table className="w-full min-w-lg text-left text-sm">
              <thead className="border-b border-stone-200 text-stone-600 dark:border-stone-800 dark:text-stone-300">
                <tr>
                  {['Number', 'Date', 'Items', 'Total', 'State'].map((title) => (
                    <th key={title} scope="col" className="px-4 py-2 font-medium">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {ORDERS.map(({ number, date, items, total, state }) => (
                  <tr key={number} className="border-b border-stone-100 last:border-0 dark:border-stone-800">
                    <td className="px-4 py-2 tabular-nums">{number}</td>
                    <td className="px-4 py-2">{date}</td>
                    <td className="px-4 py-2">{items}</td>
                    <td className="px-4 py-2 tabular-nums">{total}</td>
                    <td className="px-4 py-2">{state}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </section>
        <p>
          <button type="button" className={QUIET_BUTTON} data-tour="play-help">
            Help and contact
          </button>
        </p>
      </div>
    </div>
  );
}
