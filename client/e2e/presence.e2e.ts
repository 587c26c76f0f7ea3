import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test, watch } from './fixtures';
import { signIn } from './people';

const tour = '/w/acme/tours/after-the-order';

test('a member sees who else has the tour open, until they close it or lose the connection', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), locale: 'en-GB' });
  const other = await context.newPage();
  const publisher = page.getByText('Pia Publisher also has this tour open');
  await signIn(page, 'author', tour);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('also has this tour open')).toHaveCount(0);

  await watch(other, async () => {
    await signIn(other, 'publisher', tour);
    await expect(publisher).toBeVisible();
    await expect(other.getByText('Otto Author also has this tour open')).toBeVisible();

    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `presence, ${width} pixels, ${colorScheme}`);
      await expectNoSidewaysScroll(page, `presence, ${width} pixels`);
    }

    await test.step('a lost connection', async () => {
      await context.setOffline(true);
      await expect(publisher).toHaveCount(0, { timeout: 20_000 });
      await context.setOffline(false);
      await expect(publisher).toBeVisible();
    });
  });
  await context.close();
  await expect(publisher).toHaveCount(0, { timeout: 20_000 });
});
