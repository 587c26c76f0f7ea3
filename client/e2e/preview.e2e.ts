import type { Locator } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { popover, signIn } from './people';

// Long flows with an accessibility check at each stage.
test.describe.configure({ timeout: 180_000 });

const DRAW_IMAGE = `
  const canvas = document.createElement('canvas');
  canvas.width = 800; canvas.height = 400;
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#eee'; pen.fillRect(0, 0, 800, 400);
  pen.fillStyle = '#225'; pen.fillRect(80, 40, 160, 40);
  canvas.toDataURL('image/png').split(',')[1];`;

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32"/></svg>';

const expectLoaded = (image: Locator): Promise<void> =>
  expect.poll(() => image.evaluate(each => (each instanceof HTMLImageElement ? each.naturalWidth : 0))).toBe(32);

test('an author picks an element on the demo page and previews the tour on a screenshot that is not uploaded', async ({
  page,
}) => {
  await signIn(page, 'admin', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill('On a screenshot');
  await page.getByRole('button', { name: 'Create tour' }).click();
  await page.getByRole('button', { name: 'Add step', exact: true }).click();
  await page.getByRole('button', { name: 'Add step', exact: true }).click();

  await test.step('elements of the demo page are labeled with their names', async () => {
    // The message moves the button below it: a click at that moment would miss.
    await expect(page.getByText('Step “New step” has no element. Choose one.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Choose on the demo page' }).click();
    const picker = page.getByRole('region', { name: 'Choose an element on the demo page' });
    await expect(picker.getByRole('button', { name: 'play-home' })).toBeFocused();
    await picker.getByText('New this week').click({ force: true });
    await expect(page.getByText('This element has no data-tour name. Enter a CSS selector in the step.')).toBeVisible();
    await expectAccessible(page, 'the elements to choose from', { open: true });
    await page.getByRole('button', { name: 'Cart', exact: true }).click();
    await picker.getByRole('button', { name: 'play-order' }).click();
    await expect(page.getByLabel('data-tour name')).toHaveValue('play-order');
    await page.getByRole('button', { name: 'Choose on the demo page' }).click();
    await picker.getByRole('button', { name: 'play-cart' }).click();
    await expect(page.getByLabel('data-tour name')).toHaveValue('play-cart');
    await expect(page.getByRole('button', { name: 'Choose on the demo page' })).toBeFocused();
    await expect(page.getByText('All changes saved')).toBeVisible();
  });

  await test.step('an image from another host is shown in the editor and in the tour', async () => {
    await page.route('https://pictures.example/**', route =>
      route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }),
    );
    await page
      .getByRole('region', { name: 'Step 2' })
      .getByLabel('Text')
      .fill('![A square](https://pictures.example/square.svg)');
    await expect(page.getByText('All changes saved')).toBeVisible();
    await page.getByRole('button', { name: 'Preview from 2' }).click();
    await expectLoaded(popover(page, 'New step').getByRole('img', { name: 'A square' }));
    await page.keyboard.press('Escape');
    await expectLoaded(page.getByRole('img', { name: 'Preview of step 2' }).getByAltText('A square'));
  });

  const sent: string[] = [];
  page.on('request', request => {
    // The first bytes of a PNG, raw or in base64.
    const body = request.postDataBuffer()?.toString('latin1') ?? '';
    if (body.includes('PNG') || body.includes('iVBOR')) sent.push(request.url());
  });
  await page.getByRole('button', { name: 'Preview from 2' }).click();
  await page.getByRole('button', { name: 'Screenshot', exact: true }).click();
  const stage = page.getByRole('region', { name: 'Preview on a screenshot' });

  await test.step('a file that is not an image is rejected', async () => {
    await expectAccessible(page, 'the preview without a screenshot', { open: true });
    await stage
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    await expect(page.getByText('Your browser can’t show this file as an image.')).toBeVisible();
  });

  await test.step('a pasted screenshot appears immediately, and a step can be placed on it', async () => {
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob((() => { ${DRAW_IMAGE.replace('canvas.toDataURL', 'return canvas.toDataURL')} })()), c => c.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    }`);
    const shot = stage.getByRole('img', { name: 'Your screenshot' });
    await expect(shot).toBeVisible();
    await expectAccessible(page, 'a screenshot with steps to place', { open: true });
    const box = (await shot.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(box.x + 80, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 240, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await expect(stage.getByRole('button', { name: '2. New step, placed' })).toBeVisible();
    await stage.getByRole('button', { name: '2. New step, placed' }).press('ArrowDown');
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page, 'a screenshot with steps to place');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('the tour runs on the screenshot, and Escape returns to it', async () => {
    await stage.getByRole('button', { name: 'Start preview', exact: true }).click();
    const welcome = popover(page, 'Welcome');
    await expect(welcome.or(popover(page, 'New step'))).toBeVisible();
    if (await welcome.isVisible()) await welcome.getByRole('button', { name: 'Next' }).click();
    await expect(popover(page, 'New step')).toBeVisible();
    const width = async () => Math.round((await stage.locator('[data-place]').boundingBox())?.width ?? 0);
    await expect.poll(width).toBe(160);
    await page.keyboard.press('Escape');
    await expect(stage.getByRole('button', { name: 'Start preview', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(stage).toHaveCount(0);
  });
  await test.step('a reviewer can preview the revision', async () => {
    await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Preview revision 1' }).click();
    await popover(page, 'Welcome').getByRole('button', { name: 'Next' }).click();
    await expect(popover(page, 'New step')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Preview revision 1' })).toBeFocused();
  });
  expect(sent, 'the screenshot must not be sent').toEqual([]);
});

test('a preview without anything to show explains why, and names skipped steps', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill('Hotspots without an element');
  await page.getByRole('radio', { name: 'Hotspots' }).check();
  await page.getByRole('button', { name: 'Create tour' }).click();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.getByText('Nothing to show: no step has an element on this page.')).toBeVisible();
  await page.getByRole('button', { name: 'End preview' }).click();
  await page.getByRole('button', { name: /^1 What this is for/ }).click();
  await page.getByLabel('data-tour name').fill('nowhere');
  await page.getByRole('button', { name: /^2 Good to know/ }).click();
  await page.getByRole('radiogroup', { name: 'Kind' }).getByText('Spotlight', { exact: true }).click();
  // Missing elements are reported only for tours with an element on the demo page.
  await page.getByLabel('data-tour name').fill('play-cart');
  await page.getByRole('button', { name: /^1 What this is for/ }).click();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.getByText('Skipped “What this is for”: its element isn’t on this page.')).toBeVisible();
  await expect(popover(page, 'Good to know')).toBeVisible();
  await page.getByRole('button', { name: 'End preview' }).click();
  const notFound = page.getByRole('button', {
    name: /^Suggestion · Element The element of “What this is for” wasn’t found/,
  });
  await expect(notFound).toBeVisible();
  await page.reload();
  await notFound.click();
  await page.getByLabel('data-tour name').fill('play-cart');
  await expect(notFound).toHaveCount(0);
});

test('a preview starts at the selected step and can restart from the beginning', async ({ page }) => {
  await signIn(page, 'publisher', '/w/acme/tours/first-order');
  const steps = page.getByRole('list', { name: /in order/ }).locator('[data-step]');
  await steps.nth(1).click();
  await page.getByRole('button', { name: 'Preview from 2' }).click();
  const count = (place: number) => popover(page).getByText(new RegExp(`^${place} of `));
  await expect(count(2)).toBeVisible();
  const label = page.getByText('Preview from step 2', { exact: true });
  await expect(label).toBeVisible();
  await page.getByRole('button', { name: 'From the start' }).click();
  await expect(count(1)).toBeVisible();
  await expect(label).toBeHidden();
});

test('shortcuts work immediately after the preview ends', async ({ page }) => {
  await signIn(page, 'publisher', '/w/acme/tours/first-order');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(popover(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'End preview' }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('popovers fit between the preview bar and the bottom of a low window', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill('In a low window');
  await page.getByRole('button', { name: 'Create tour' }).click();
  await page.getByRole('button', { name: 'Add step', exact: true }).click();
  await page.getByRole('button', { name: 'Add step', exact: true }).click();
  await page.getByLabel('data-tour name').fill('play-home');
  const text = page.getByRole('region', { name: 'Step 2' }).getByLabel('Text');
  const bar = page.locator('[data-preview-bar]');
  for (const [side, body] of [
    ['Right', ''],
    ['Bottom', 'A long text. '.repeat(90)],
  ] as const) {
    await page.getByLabel('Popover side', { exact: true }).selectOption(side);
    await text.fill(body);
    await page.getByRole('button', { name: 'Preview from 2' }).click();
    const card = popover(page, 'New step');
    await expect(card).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 500 });
    const position = async () => {
      const box = await card.boundingBox();
      const barBox = await bar.boundingBox();
      const { y, height } = box ?? { y: 0, height: 0 };
      return { isBelowBar: y >= (barBox?.height ?? 0), isAboveBottom: y + height <= 500 };
    };
    await expect.poll(position, { message: side }).toEqual({ isBelowBar: true, isAboveBottom: true });
    await expect(card.getByRole('button', { name: 'Done' })).toBeInViewport();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 860 });
  }
});
