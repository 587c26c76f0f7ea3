import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { signIn } from './people';

const KEY = 'wp_pub_demo_shop';

type Sign = (userId: string, options: { siteKey: string; secret: string }) => string;

async function documentedExample(): Promise<Sign> {
  const page = readFileSync(join(import.meta.dirname, '../../server/docs/identities.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const file = join(mkdtempSync(join(tmpdir(), 'waypost-example-')), 'example.mjs');
  writeFileSync(file, code);
  const { identityToken } = (await import(pathToFileURL(file).href)) as { identityToken: Sign };
  return identityToken;
}

test('a site verifies its visitors with signed IDs', async ({ page, browser, baseURL }) => {
  const sign = await documentedExample();
  await signIn(page, 'admin', '/w/acme/sites');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Demo shop/ })
    .click();
  const panel = page.getByRole('region', { name: 'Visitor identities' });
  await panel.getByRole('button', { name: 'Generate secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'New secret' });
  const secret = await dialog.getByLabel('Secret').inputValue();
  await expectAccessible(page, 'a new secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  const mode = panel.getByLabel('Signed IDs');
  await expect(mode.getByRole('option', { name: 'Required' })).toBeDisabled();
  await mode.selectOption('Optional');
  await expect(panel).toContainText('Visitors with a signed ID are verified.');

  const shop = await browser.newPage({ baseURL: baseURL ?? '' });
  const script = `<script>(window.waypost ??= []).push(waypost => waypost.identify(...IDENTITY))</script>
    <script async src="/embed/v1.js" data-key="${KEY}"></script>`;
  const visit = async (...identity: unknown[]) => {
    const body = `<!doctype html><title>Shop</title><body>${script.replace('IDENTITY', () => JSON.stringify(identity))}</body>`;
    await shop.route('**/play', route => route.fulfill({ contentType: 'text/html', body }));
    const booted = shop.waitForResponse('**/e/boot');
    await shop.goto('/play');
    return (await (await booted).json()) as { visitorId: string; tokenProblem: string | null };
  };
  const ada = await visit('ada', { token: sign('ada', { siteKey: KEY, secret }) });
  expect(ada.tokenProblem).toBeNull();
  const declared = await visit('ada');
  expect(declared.visitorId).not.toBe(ada.visitorId);
  const stolen = await visit('ada', { token: sign('eve', { siteKey: KEY, secret }) });
  expect(stolen).toMatchObject({ visitorId: declared.visitorId, tokenProblem: 'SUBJECT' });
  await shop.close();

  await page.reload();
  await expect(panel).toContainText('33% of the visits with an ID (1 of 3)');
  await expect(panel.getByRole('list', { name: 'Keys' })).toContainText('Last used');
  await mode.selectOption('Required');
  const confirm = page.getByRole('dialog', { name: 'Require signed IDs?' });
  await expect(confirm).toContainText('1 of 3');
  await confirm.getByRole('button', { name: 'Require signed IDs' }).click();
  await expect(panel).toContainText('An ID that isn’t signed is ignored');

  await page.goto('/w/acme/visitors');
  await page.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Demo shop' });
  await page.getByRole('searchbox', { name: 'Search' }).fill('ada');
  const visitors = page.getByRole('table', { name: /^Visitors of this site/ }).getByRole('rowheader');
  await expect(visitors).toHaveCount(2);
  await expect(visitors.filter({ hasText: 'Verified' })).toHaveCount(1);

  await page.goto('/w/acme/audit');
  const entries = page.getByRole('list', { name: /^Audit entries/ }).getByRole('listitem');
  await expect(entries.filter({ hasText: 'set signed IDs of the site “Demo shop” to “required”' })).toHaveCount(1);
  await expect(entries.filter({ hasText: 'added a secret (HS256) to the site “Demo shop”' })).toHaveCount(1);
});
