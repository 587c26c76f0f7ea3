import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures';
import { signIn } from './people';

const operationOf = (route: Route): unknown => {
  const body: unknown = route.request().postDataJSON();
  return typeof body === 'object' && body !== null && 'operationName' in body ? body.operationName : null;
};

/** Others continue to the server. */
async function intercept(page: Page, operation: string, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/graphql', route => (operationOf(route) === operation ? answer(route) : route.continue()));
}

test('edits during an outage are kept and saved when the server is back', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours/after-the-order');
  const title = page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title');
  await expect(title).toBeVisible();
  await page.route('**/graphql*', route => route.abort());
  await title.fill('Written in the dark');
  await expect(page.getByText(/Your changes are kept on this device/).first()).toBeVisible();
  await page.unroute('**/graphql*');
  // Saved automatically, without a click.
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await expect(title).toHaveValue('Written in the dark');
});

test('conflicting edits of one step can be resolved after a reload', async ({ page, browser, baseURL }) => {
  const path = '/w/acme/tours/first-order';
  await signIn(page, 'admin', path);
  const mine = page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title');
  await expect(mine).toBeVisible();
  // The page must not know of the other save.
  await intercept(page, 'TourChanged', route => route.abort());
  await page.route('**/graphql', route => (operationOf(route) === 'TourSave' ? undefined : route.fallback()));
  await mine.fill('Mine');

  const other = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage();
  await signIn(other, 'author', path);
  await other.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Theirs');
  await expect(other.getByText('All changes saved')).toBeVisible();
  await other.context().close();

  await page.unroute('**/graphql');
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Otto Author saved a newer version' });
  const choice = dialog.getByRole('group', { name: /Title$/ });
  await expect(choice.getByRole('radio', { name: /^Otto Author’s.*Theirs/ })).not.toBeChecked();
  await expect(choice.getByRole('radio', { name: /^Mine.*Mine/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await expect(mine).toHaveValue('Mine');
});

test('network, protocol and GraphQL failures are distinguished', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours');
  const answers: [kind: string, text: string, answer: (route: Route) => Promise<void>][] = [
    ['network', 'Can’t reach the server', route => route.abort()],
    [
      'protocol',
      'Unexpected response',
      route => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
    ],
    [
      'graphql',
      'You don’t have permission',
      route =>
        route.fulfill({
          contentType: 'application/json',
          body: JSON.stringify({
            data: null,
            errors: [{ message: 'This needs another role.', extensions: { code: 'FORBIDDEN', requestId: 'r-1' } }],
          }),
        }),
    ],
  ];
  for (const [kind, text, answer] of answers) {
    await intercept(page, 'Members', answer);
    await page.goto('/w/acme/members');
    const failure = page.locator(`[data-error-kind="${kind}"]`);
    await expect(failure).toContainText(text, { timeout: 20_000 });
    await page.unroute('**/graphql');
  }
  await page
    .getByRole('button', { name: 'Try again' })
    .or(page.getByRole('link', { name: 'Members' }))
    .first()
    .click();
  await expect(page.getByText('Ada Admin').first()).toBeVisible();
});

test('a viewer sees actions of other roles with the reason why they are disabled', async ({ page }) => {
  await signIn(page, 'viewer', '/w/acme/tours');
  const create = page.getByRole('button', { name: 'New tour' }).first();
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAccessibleDescription(/Requires the author role/);
  await expect(page.getByRole('navigation', { name: 'Workspace' }).getByRole('link')).not.toContainText(['Audit log']);
  await page.goto('/w/acme/audit');
  await expect(page.getByText(/Requires the administrator role/)).toBeVisible();
});
