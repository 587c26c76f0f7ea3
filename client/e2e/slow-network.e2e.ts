import { expect, test } from './fixtures';

test('a slow server leaves no page blank: the name is painted first, then the frame of the screen', async ({
  page,
}) => {
  const held: (() => void)[] = [];
  let isSlow = true;
  await page.route(/\/graphql(\?|$)/, route => {
    if (!isSlow) return route.continue();
    return new Promise<void>(resolve => {
      held.push(() => resolve(route.continue()));
    });
  });
  await page.route('**/assets/*.js', async route => {
    // Before any script has run.
    await expect(page.getByText('Waypost', { exact: true })).toBeVisible();
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect(page.getByText('Waypost', { exact: true })).toBeVisible();
  await expect(page.getByText('Loading Waypost')).toBeAttached();
  isSlow = false;
  held.forEach(release => release());
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in to Waypost' })).toBeVisible();
});
