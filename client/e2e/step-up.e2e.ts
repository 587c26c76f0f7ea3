import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { enterPassword, expectNotice, signIn } from './people';

test.use({
  settings: {
    WAYPOST_OIDC_STEP_UP: 'on',
    WAYPOST_OIDC_ACR_VALUES: 'phrh phr',
    WAYPOST_OIDC_BACKCHANNEL_LOGOUT: '1',
  },
});

test('a critical change requires a recent sign-in of the same account, and a sign-out elsewhere ends the session', async ({
  page,
  context,
  waypost,
}) => {
  // The tokens of this session contain a sign-in that is ten minutes old.
  await waypost.control({ authAge: 600 });
  await signIn(page, 'admin', '/w/acme/sites');
  await page.getByRole('link', { name: /Demo shop/ }).click();
  const key = page.getByLabel('Site key', { exact: true });
  const before = await key.inputValue();
  await waypost.control({ authAge: 0 });
  // Clearing the cookies ends the provider's session, so that it shows its form.
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });

  await test.step('another account is rejected with a sentence', async () => {
    await page.getByRole('button', { name: 'Replace key' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    const popup = await opened;
    await expect(dialog).toContainText('Sign in again with Waypost development as Ada Admin.');
    await expectAccessible(page, 'a change that waits for a recent sign-in');
    await enterPassword(popup, 'viewer');
    await expect(dialog.getByRole('alert')).toContainText('You signed in with a different account.');
    await expectAccessible(page, 'a recent sign-in of another account');
  });

  await test.step('the same account completes the change, once', async () => {
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    // The provider has a session of the other account, but must show its form.
    await enterPassword(await opened, 'admin');
    await expectNotice(page, 'Site key replaced. Update it on your pages.');
    await expect(dialog).toBeHidden();
    await expect(key).not.toHaveValue(before);
  });

  await test.step('signing out at the provider ends the session without a reload', async () => {
    // Of the session whose cookies were cleared.
    await page.reload();
    await expect(key).toBeVisible();
    const provider = await context.newPage();
    await provider.goto(`${waypost.provider}/session/end`);
    await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(
      'You’re no longer signed in with Waypost development. Sign in again.',
    );
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
  });
});

test('an invitation requires a strong sign-in, which keeps the form and is valid for later changes', async ({
  page,
}) => {
  // The sign-in is recent, but without a second factor.
  await signIn(page, 'admin', '/w/acme/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Invite someone' });
  await form.getByLabel('Email address').fill('new@example.com');
  const opened = page.waitForEvent('popup');
  await form.getByRole('button', { name: 'Create invitation link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(dialog).toContainText('This change requires a recent and more secure sign-in');
  const popup = await opened;
  // The provider has a session, but it is not strong enough.
  await expect(popup.getByLabel('Password')).toBeVisible();
  await expectAccessible(page, 'a change that waits for a strong sign-in');
  await enterPassword(popup, 'admin');
  const link = page.getByRole('dialog', { name: 'Share this link' });
  await expect(link.getByLabel('Link')).not.toHaveValue('');
  await link.getByRole('button', { name: 'Done' }).click();
  await link.getByRole('button', { name: 'Close without copying' }).click();
  await page.getByRole('button', { name: 'New link for new@example.com' }).click();
  await expect(link.getByLabel('Link')).not.toHaveValue('');
});

test('if the browser blocks the window, a button opens it', async ({ page, context, waypost }) => {
  await waypost.control({ authAge: 600 });
  await signIn(page, 'admin', '/w/acme/sites');
  await page.getByRole('link', { name: /Demo shop/ }).click();
  await waypost.control({ authAge: 0 });
  await context.clearCookies();
  await page.evaluate(() => {
    const { open } = window;
    window.open = () => {
      window.open = open;
      return null;
    };
  });
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(dialog.getByRole('alert')).toContainText('Your browser blocked the sign-in window.');
  await expectAccessible(page, 'a blocked window for a recent sign-in');
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await enterPassword(await opened, 'admin');
  await expectNotice(page, 'Site key replaced. Update it on your pages.');
});
