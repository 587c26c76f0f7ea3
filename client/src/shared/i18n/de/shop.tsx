import type { ShopTexts } from '../en/shop';
import { counted } from '../format';

export const shop: ShopTexts = {
  search: 'Produkte suchen',
  account: 'Mein Konto',
  new: 'Neu diese Woche',
  yourOrders: 'Ihre Bestellungen',
  orderList: 'Bestellliste',
  help: 'Hilfe und Kontakt',
  customer: 'Kundenstatus',
  customers: { guest: 'Gast', member: 'Mitglied' },
  yourCart: 'Ihr Warenkorb',
  inCart: things => counted(things, { one: '# Artikel im Warenkorb.', other: '# Artikel im Warenkorb.' }),
  order: 'Bestellen',
  thanks: 'Vielen Dank. Ihre Bestellung ist unterwegs.',
  cart: items => `Warenkorb (${items})`,
  nothing: search => `Keine Treffer für „${search}“.`,
  addToCart: name => <>In den Warenkorb{name}</>,
  products: { desk: 'Schreibtisch aus Eiche', lamp: 'Schreibtischlampe', rug: 'Wollteppich', shelf: 'Wandregal' },
  orders: { lampAndBulbs: 'Schreibtischlampe, 2 Birnen', notebook: 'Notizbuch, A5', chair: 'Bürostuhl' },
  states: { onItsWay: 'Unterwegs', delivered: 'Zugestellt' },
  columns: { number: 'Nummer', date: 'Datum', items: 'Artikel', total: 'Summe', state: 'Status' },
};
