import { expect, test } from './fixtures';
import { signIn } from './people';

const html = `<!doctype html><html lang="en"><title>Shop</title><body>
<input data-tour="play-search"><button data-tour="play-cart">Cart</button><button data-tour="play-account">Account</button>
<script async src="/embed/v1.js" data-key="wp_pub_demo_shop"></script></body></html>`;

test('a page of a site plays the released tour and reports its run', async ({ page, browser, baseURL }) => {
  const shop = await browser.newPage({ baseURL: baseURL ?? '' });
  await shop.addInitScript(`{
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: 'open' }); };
  }`);
  await shop.route('**/play', route => route.fulfill({ contentType: 'text/html', body: html }));
  await shop.goto('/play');
  const steps = [
    ['Welcome to the shop', 'Show me'],
    ['Find anything', 'Next'],
    ['Your cart', 'Next'],
    ['Your account', 'Start shopping'],
  ] as const;
  const reported = shop.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_COMPLETED'), {
    timeout: 0,
  });
  for (const [title, button] of steps)
    await shop.getByRole('dialog', { name: title }).getByRole('button', { name: button }).click();
  expect((await reported).status()).toBe(200);
  await shop.close();

  await signIn(page, 'admin', '/w/acme/tours/first-order/insights');
  await expect(
    page
      .getByRole('region', { name: 'Recent runs' })
      .getByRole('table')
      .getByText('completed', { exact: true })
      .first(),
  ).toBeVisible();
});
