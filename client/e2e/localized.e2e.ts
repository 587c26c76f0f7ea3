import { readFile } from 'node:fs/promises';
import { inspect } from './axe';
import { expect, test } from './fixtures';
import { signIn } from './people';

const html = `<!doctype html><html lang="de"><title>Laden</title><body>
<input data-tour="play-search"><button data-tour="play-cart">Warenkorb</button><button data-tour="play-account">Konto</button>
<script async src="/embed/v1.js" data-key="wp_pub_demo_shop"></script></body></html>`;

interface File {
  texts: { step: string; field: string; original: string; translation: string }[];
}

test('translations are edited, exported, imported, released, and shown with the original of a missing text', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  await signIn(page, 'admin', '/w/acme/tours/first-order');
  const saved = () => expect(page.getByText('All changes saved')).toBeVisible();
  const german = page.getByRole('region', { name: 'German (de)' });

  await test.step('add a language and translate a title next to its original', async () => {
    await page.getByRole('button', { name: 'Languages' }).click();
    await page.getByRole('button', { name: 'Remove German (de) and its translations' }).click();
    await page.getByLabel('Add a language').selectOption({ label: 'Another language…' });
    await page.getByLabel('Language tag').fill('x');
    await page.getByRole('button', { name: 'Add language' }).click();
    await expect(page.getByText('Must be a language tag such as')).toBeVisible();
    await page.getByLabel('Add a language').selectOption('de');
    await page.getByRole('button', { name: 'Add language' }).click();
    await german.getByLabel('Title').first().fill('Willkommen im Laden');
    await saved();
  });

  await test.step('the problems list the missing texts and lead to the first one', async () => {
    await page.getByRole('button', { name: /^1 / }).first().click();
    await page
      .getByRole('region', { name: 'Problems' })
      .getByRole('button', { name: /Texts not translated into de: \d+/ })
      .click();
    await expect(german.getByRole('textbox', { name: 'Text' }).first()).toBeFocused();
    await inspect(page, 'editor-languages');
  });

  const file = await test.step('export the texts', async () => {
    const download = page.waitForEvent('download');
    await german.getByRole('button', { name: 'Export for translators' }).click();
    const exported = await download;
    expect(exported.suggestedFilename()).toBe('first-order.de.json');
    return JSON.parse(await readFile(await exported.path(), 'utf8')) as File;
  });
  expect(file.texts[0]).toMatchObject({ field: 'TITLE', translation: 'Willkommen im Laden' });

  const load = (content: object) =>
    german.locator('input[type=file]').setInputFiles({
      name: 'first-order.de.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(content)),
    });

  await test.step('a file with errors imports nothing', async () => {
    const [first, ...others] = file.texts;
    await load({ ...file, texts: [{ ...first, step: 'nowhere', translation: 'Falsch' }, ...others] });
    await expect(german.getByRole('alert')).toContainText('texts[0]: this tour has no text TITLE in step “nowhere”.');
    await expect(german.getByRole('alert')).toContainText('is missing');
    await expect(german.getByLabel('Title').first()).toHaveValue('Willkommen im Laden');
  });

  await test.step('a translated file is imported', async () => {
    const titles = new Set(file.texts.filter(({ field }) => field === 'TITLE').slice(0, -1));
    await load({
      ...file,
      texts: file.texts.map(text => (titles.has(text) ? { ...text, translation: `DE ${text.original}` } : text)),
    });
    await expect(german.getByLabel('Title').first()).toHaveValue(/^DE /);
    await expect(german.getByRole('alert')).toHaveCount(0);
    await saved();
  });

  await test.step('preview the tour in German', async () => {
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await expect(page.getByLabel('Language', { exact: true })).toHaveValue('de');
    await expect(page.getByRole('dialog', { name: /^DE / })).toBeVisible();
    await page.getByRole('button', { name: 'End preview' }).click();
  });

  await test.step('a changed original makes its translation outdated', async () => {
    await page.getByRole('list', { name: 'Steps in order' }).getByRole('button', { name: /^1 / }).first().click();
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Welcome back');
    await saved();
    await page.getByRole('button', { name: /Outdated translations into de: 1/ }).click();
    await german.getByRole('button', { name: /Keep this translation/ }).click();
    await saved();
    await expect(page.getByRole('button', { name: /Outdated translations into de/ })).toHaveCount(0);
  });

  await test.step('release it to the shop', async () => {
    await page.goto('/w/acme/tours/first-order/releases');
    await page.getByRole('main').getByRole('button', { name: 'Release', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Release revision/ });
    await dialog.getByRole('checkbox', { name: 'Demo shop' }).check();
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await expect(page.getByText(/is released to Demo shop/).first()).toBeVisible();
  });

  await test.step('a page in German shows the translations, and the original of the last title', async () => {
    const shop = await browser.newPage({ baseURL: baseURL ?? '' });
    await shop.addInitScript(`{
      const attach = Element.prototype.attachShadow;
      Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: 'open' }); };
    }`);
    await shop.route('**/play', route => route.fulfill({ contentType: 'text/html', body: html }));
    await shop.goto('/play');
    const titles = file.texts.filter(({ field }) => field === 'TITLE').map(({ original }) => original);
    for (const [index, title] of titles.entries()) {
      const isLast = index === titles.length - 1;
      const shown = shop.getByRole('dialog', { name: isLast ? title : `DE ${title}`, exact: true });
      await expect(shown).toBeVisible();
      if (!isLast) await shown.locator('button.primary').click();
    }
    await shop.close();
  });
});
