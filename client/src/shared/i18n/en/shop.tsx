import type { ReactNode } from 'react';
import { counted } from '../format';
import { defineMessages } from '../messages';

const english = {
  search: 'Search products',
  account: 'My account',
  new: 'New this week',
  yourOrders: 'Your orders',
  orderList: 'Order list',
  help: 'Help and contact',
  customer: 'Customer',
  customers: { guest: 'Guest', member: 'Member' },
  yourCart: 'Your cart',
  inCart: (things: number) => counted(things, { one: '# item in your cart.', other: '# items in your cart.' }),
  order: 'Place order',
  thanks: 'Thank you! Your order is on its way.',
  cart: (items: number) => `Cart (${items})`,
  nothing: (search: string) => `No results for “${search}”.`,
  addToCart: (name: ReactNode) => <>Add{name} to cart</>,
  products: { desk: 'Oak desk', lamp: 'Desk lamp', rug: 'Wool rug', shelf: 'Wall shelf' },
  orders: { lampAndBulbs: 'Desk lamp, 2 bulbs', notebook: 'Notebook, A5', chair: 'Office chair' },
  states: { onItsWay: 'On its way', delivered: 'Delivered' },
  columns: { number: 'Number', date: 'Date', items: 'Items', total: 'Total', state: 'Status' },
};

export type ShopTexts = typeof english;
export const t = defineMessages('shop', english);
