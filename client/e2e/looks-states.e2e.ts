import { expectScreenshots, screenshotOptions } from './baselines';
import { expect, test } from './fixtures';
import { close, dialog, openScreen } from './looks';
import { popover, signIn } from './people';

test.use(screenshotOptions);
test.describe.configure({ timeout: 240_000 });

const tour = '/w/acme/tours/first-order';

test('the dialogs', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours');
  await openScreen(page, '/w/acme/tours', 'Tours');
  const dialogs: readonly [name: string, path: string, button: string][] = [
    ['tour-create', '/w/acme/tours', 'New tour'],
    ['theme-create', '/w/acme/themes', 'New theme'],
    ['site-create', '/w/acme/sites', 'New site'],
    ['invite', '/w/acme/members', 'Invite'],
    ['workspace-create', '/workspaces', 'New workspace'],
    ['release', `${tour}/releases`, 'Release'],
    ['review-ask', `${tour}/revisions`, 'Request review'],
  ];
  for (const [name, path, button] of dialogs) {
    await openScreen(page, path);
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    await expectScreenshots(page, name, name === 'tour-create' || name === 'release' ? undefined : ['phone']);
  }
  await openScreen(page, '/w/acme/tours', 'Tours');
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectScreenshots(page, 'session-menu', ['dark', 'phone']);
  await close(page);
  await page.getByRole('button', { name: 'Appearance' }).first().click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectScreenshots(page, 'appearance-menu', ['light']);
  await close(page);
  await page.setViewportSize({ width: 360, height: 720 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(dialog(page)).toBeVisible();
  await expectScreenshots(page, 'mobile-menu', ['phone']);
});

test('empty states of a new workspace', async ({ page }) => {
  await signIn(page, 'author', '/w/acme/tours');
  await openScreen(page, '/workspaces', 'Workspaces');
  await page.getByRole('button', { name: 'New workspace', exact: true }).first().click();
  await page.getByLabel('Name').fill('Empty');
  await dialog(page)
    .getByRole('button', { name: /^Create/ })
    .click();
  await expect(page).toHaveURL(/\/w\/empty/);
  await expect(popover(page)).toHaveCount(0);
  for (const [screen, heading] of [
    ['tours', 'Tours'],
    ['sites', 'Sites'],
    ['themes', 'Themes'],
    ['visitors', 'Visitors'],
    ['audit', 'Audit log'],
  ] as const) {
    await openScreen(page, `/w/empty/${screen}`, heading);
    await expectScreenshots(page, `${screen}-empty`, screen === 'tours' ? undefined : ['light', 'phone']);
  }
});

test('loading, failed and offline states', async ({ page }) => {
  await signIn(page, 'viewer', '/w/acme/tours');
  const operationIn = (body: string | null) => /"operationName":"(\w+)"/.exec(body ?? '')?.[1] ?? '';
  const answers = new Map<string, 'never' | 'failure'>();
  await page.route('**/graphql', route => {
    const answer = answers.get(operationIn(route.request().postData()));
    if (answer === 'never') return undefined;
    if (answer === undefined) return route.fallback();
    const errors = [{ message: 'Something broke on the server.', extensions: { code: 'INTERNAL', requestId: '0' } }];
    return route.fulfill({ status: 500, contentType: 'application/graphql-response+json', json: { errors } });
  });
  const waiting: readonly [name: string, path: string, operation: string][] = [
    ['workspace', '/w/acme/tours', 'WorkspaceHome'],
    ['tours', '/w/acme/tours', 'Tours'],
    ['editor', tour, 'TourEditor'],
    ['insights', `${tour}/insights`, 'TourInsights'],
  ];
  for (const [name, path, operation] of waiting) {
    answers.set(operation, 'never');
    await page.goto(path);
    await expect(page.getByRole('status', { name: /^Loading/ }).first()).toBeVisible();
    await expectScreenshots(page, `${name}-loading`, ['light', 'phone']);
    answers.set(operation, 'failure');
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
    await expectScreenshots(page, `${name}-failed`, name === 'tours' ? undefined : ['light']);
    answers.clear();
  }
  await openScreen(page, '/w/acme/themes', 'Themes');
  await page.route('**/graphql*', route => route.abort());
  await page.getByRole('link', { name: 'Tours' }).first().click();
  await expect(page.getByText('Can’t reach the server.').first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expectScreenshots(page, 'offline');
});
