/** Messages of rejected ones must explain why and what to do next. */
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, inspect } from './axe';
import { expect, test, watch } from './fixtures';
import { expectNoEnglish } from './languages';
import { enterPassword, expectNotice, type Name, popover, signIn } from './people';

test.describe.configure({ timeout: 240_000 });

const invitations = (page: Page) => page.getByRole('region', { name: 'Invitations' });

async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  return copyLink(page);
}

async function copyLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Share this link' });
  await expect(dialog.getByLabel('Link')).toBeFocused();
  const link = await dialog.getByLabel('Link').inputValue();
  await expectAccessible(page, 'the link of an invitation', { open: true });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  await expect(dialog).toHaveCount(0);
  return link;
}

async function signInHere(page: Page, name: Name): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, name);
}

const storedInvitation = (page: Page) => page.evaluate(() => sessionStorage.getItem('waypost.invitation'));

test('an invited account joins by link, leaves, and cannot rejoin with the same link', async ({
  page: admin,
  browser,
  baseURL,
}) => {
  const contexts: BrowserContext[] = [];
  const newPage = async (locale: string): Promise<Page> => {
    const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), locale });
    contexts.push(context);
    return context.newPage();
  };
  const guest = await newPage('en-GB');
  let link = '';

  await watch(guest, async () => {
    await test.step('an administrator invites an address without an account', async () => {
      await signIn(admin, 'admin', '/w/acme/members');
      await expect(invitations(admin)).toContainText('No pending invitations.');
      await admin.goto('/workspaces');
      await admin.getByRole('button', { name: 'New workspace' }).first().click();
      await admin.getByRole('dialog').getByLabel('Name').fill('Crew');
      await admin.getByRole('dialog').getByRole('button', { name: 'Create workspace' }).click();
      await admin.waitForURL('**/w/crew/**');
      await admin.goto('/w/crew/members');
      link = await invite(admin, 'author@waypost.example');
      await expect(invitations(admin).getByRole('listitem')).toContainText('author@waypost.example');
      await inspect(admin, 'members with an invitation');
    });

    await test.step('the link requires sign-in, and its secret is removed from the address bar', async () => {
      await guest.goto(link);
      await expect(guest.getByRole('heading', { name: 'You’re invited' })).toBeVisible();
      await expect(guest).toHaveURL('/invite');
      await inspect(guest, 'an invitation before signing in');
    });

    await test.step('a different account is rejected and can be switched', async () => {
      await signInHere(guest, 'publisher');
      await expect(guest.getByRole('heading', { name: 'This invitation can’t be accepted' })).toBeVisible();
      await expect(guest.getByRole('alert')).toContainText('This invitation is for a…@waypost.example.');
      await expect(guest.getByText('You’re signed in as publisher@waypost.example.')).toBeVisible();
      await inspect(guest, 'an invitation for another account');
      await guest.getByRole('button', { name: 'Use a different account' }).click();
      await expect(guest.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    });

    await test.step('the invited account sees the offer and joins', async () => {
      await signInHere(guest, 'author');
      await expect(guest.getByText('Ada Admin invited you to “Crew” with the author role.')).toBeVisible();
      expect(new URL(guest.url()).pathname).toBe('/invite');
      await inspect(guest, 'an invitation');
      await guest.getByRole('button', { name: 'Join Crew' }).click();
      await expectNotice(guest, 'You joined “Crew”.');
      await guest.waitForURL('**/w/crew/tours');
      expect(await storedInvitation(guest)).toBeNull();
      await popover(guest, 'Welcome to Waypost').getByRole('button', { name: 'Close' }).click();
    });

    await test.step('the administrator sees the member and no pending invitation', async () => {
      await admin.goto('/w/crew/members');
      await expect(admin.getByRole('list', { name: 'Members' })).toContainText('Otto Author');
      await expect(invitations(admin)).toContainText('No pending invitations.');
    });

    await test.step('the link opens the workspace for a member', async () => {
      await guest.goto(link);
      await expect(guest.getByRole('heading', { name: 'You’re already a member' })).toBeVisible();
      await guest.getByRole('link', { name: 'Open workspace' }).click();
      await guest.waitForURL('**/w/crew/tours');
    });

    await test.step('a member leaves, and the link no longer works', async () => {
      await guest.goto('/w/crew/members');
      await expect(guest.getByRole('region', { name: 'Invitations' })).toHaveCount(0);
      await guest.getByRole('button', { name: 'Leave workspace' }).click();
      const confirmation = guest.getByRole('dialog', { name: 'Leave workspace?' });
      await expect(confirmation).toBeVisible();
      await expectAccessible(guest, 'the confirmation before leaving', { open: true });
      await confirmation.getByRole('button', { name: 'Leave' }).click();
      // Home redirects to the only remaining workspace.
      await guest.waitForURL('**/w/acme/tours');
      await guest.goto('/w/crew/tours');
      await expect(
        guest.getByText('This workspace does not exist, or you have no access to it.').first(),
      ).toBeVisible();
      await guest.goto(link);
      await expect(guest.getByRole('alert')).toContainText('This invitation has already been accepted.');
      await guest.getByRole('link', { name: 'Go to your workspaces' }).click();
      await guest.waitForURL('**/w/acme/tours');
      expect(await storedInvitation(guest)).toBeNull();
    });

    await test.step('a new link invalidates the old one, and revoking invalidates both', async () => {
      await admin.goto('/w/crew/members');
      const first = await invite(admin, 'viewer@waypost.example');
      await invitations(admin).getByRole('button', { name: 'New link for viewer@waypost.example' }).click();
      const second = await copyLink(admin);
      await guest.goto(first);
      await expect(guest.getByRole('alert')).toContainText('This invitation link is not valid.');
      await invitations(admin).getByRole('button', { name: 'Revoke invitation for viewer@waypost.example' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expectNotice(admin, 'Invitation for viewer@waypost.example revoked.');
      await expect(invitations(admin)).toContainText('No pending invitations.');
      await guest.goto(second);
      await expect(guest.getByRole('alert')).toContainText('This invitation was revoked.');
    });

    await test.step('an incomplete link explains that its last part is missing', async () => {
      await guest.getByRole('link', { name: 'Go to your workspaces' }).click();
      await guest.waitForURL('**/w/acme/tours');
      await guest.goto('/invite');
      await expect(guest.getByRole('heading', { name: 'No invitation found' })).toBeVisible();
      await inspect(guest, 'no invitation');
    });

    await test.step('the last administrator cannot leave', async () => {
      await admin.getByRole('button', { name: 'Leave workspace' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await expect(admin.getByRole('dialog').getByRole('alert')).toContainText(
        'A workspace needs at least one administrator.',
      );
      await admin.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });
  });

  await test.step('the invitation pages are German', async () => {
    link = await invite(admin, 'viewer@waypost.example');
    const german = await newPage('de-DE');
    await german.goto(link);
    await expect(german.getByRole('heading', { name: 'Sie sind eingeladen' })).toBeVisible();
    await expectNoEnglish(german, 'an invitation before signing in');
    await german
      .getByRole('button', { name: /^Mit .+ anmelden$/ })
      .first()
      .click();
    await enterPassword(german, 'viewer');
    await expect(
      german.getByText('Ada Admin hat Sie in den Arbeitsbereich „Crew“ eingeladen, mit der Rolle „Redaktion“.'),
    ).toBeVisible();
    await expectNoEnglish(german, 'an invitation');
    await inspect(german, 'an invitation in German');
    await german.getByRole('button', { name: 'Crew beitreten' }).click();
    await german.waitForURL('**/w/crew/tours');
  });
  for (const context of contexts) await context.close();
});
