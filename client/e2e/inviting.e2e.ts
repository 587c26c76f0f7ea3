/**
 * An administrator invites somebody by a link, who signs in with it, joins and leaves again. What does not work says why, and
 * what to do next.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, inspect } from './axe';
import { expect, test, watch } from './fixtures';
import { germanOnly } from './languages';
import { enterPassword, expectNotice, type Name, popover, signIn } from './people';

test.describe.configure({ timeout: 240_000 });

const invitations = (page: Page) => page.getByRole('region', { name: 'Invitations' });

/** Creates an invitation where somebody is unknown, and answers with its link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Add member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`Nobody with the address ${email} has signed in yet.`);
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  return takeLink(page);
}

async function takeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Share this link' });
  await expect(dialog.getByLabel('Link')).toBeFocused();
  const link = await dialog.getByLabel('Link').inputValue();
  await expectAccessible(page, 'the link of an invitation', { open: true });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  return link;
}

async function signInHere(page: Page, name: Name): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, name);
}

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('waypost.invitation'));

test('somebody is invited by a link, joins, leaves, and cannot come back by it', async ({
  page: admin,
  browser,
  baseURL,
}) => {
  const contexts: BrowserContext[] = [];
  const another = async (locale: string): Promise<Page> => {
    const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), locale });
    contexts.push(context);
    return context.newPage();
  };
  const guest = await another('en-GB');
  let link = '';

  await watch(guest, async () => {
    await test.step('an administrator invites an address that nobody has signed in with', async () => {
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

    await test.step('the link asks to sign in, and its secret is in no address any more', async () => {
      await guest.goto(link);
      await expect(guest.getByRole('heading', { name: 'You’re invited' })).toBeVisible();
      await expect(guest).toHaveURL('/invite');
      await inspect(guest, 'an invitation before signing in');
    });

    await test.step('another account is told so, and can be changed', async () => {
      await signInHere(guest, 'publisher');
      await expect(guest.getByRole('heading', { name: 'This invitation cannot be accepted' })).toBeVisible();
      await expect(guest.getByRole('alert')).toContainText('This invitation is for a…@waypost.example.');
      await expect(guest.getByText('You are signed in as publisher@waypost.example.')).toBeVisible();
      await inspect(guest, 'an invitation for another account');
      await guest.getByRole('button', { name: 'Sign in with another account' }).click();
      await expect(guest.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    });

    await test.step('the right account reads what it is invited to, and joins', async () => {
      await signInHere(guest, 'author');
      await expect(guest.getByText('Ada Admin invites you to “Crew” as author.')).toBeVisible();
      expect(new URL(guest.url()).pathname).toBe('/invite');
      await inspect(guest, 'an invitation');
      await guest.getByRole('button', { name: 'Join Crew' }).click();
      await expectNotice(guest, 'You joined “Crew”.');
      await guest.waitForURL('**/w/crew/tours');
      expect(await kept(guest)).toBeNull();
      await popover(guest, 'Welcome to Waypost').getByRole('button', { name: 'Close' }).click();
    });

    await test.step('the administrator sees the member, and no invitation', async () => {
      await admin.goto('/w/crew/members');
      await expect(admin.getByRole('list', { name: 'Members' })).toContainText('Otto Author');
      await expect(invitations(admin)).toContainText('No pending invitations.');
    });

    await test.step('the link leads a member to the workspace', async () => {
      await guest.goto(link);
      await expect(guest.getByRole('heading', { name: 'You’re already a member' })).toBeVisible();
      await guest.getByRole('link', { name: 'Open workspace' }).click();
      await guest.waitForURL('**/w/crew/tours');
    });

    await test.step('a member leaves, and the link lets nobody back in', async () => {
      await guest.goto('/w/crew/members');
      await expect(guest.getByRole('region', { name: 'Invitations' })).toHaveCount(0);
      await guest.getByRole('button', { name: 'Leave workspace' }).click();
      const sure = guest.getByRole('dialog', { name: 'Leave workspace?' });
      await expectAccessible(guest, 'the question before leaving', { open: true });
      await sure.getByRole('button', { name: 'Leave' }).click();
      // Home leads on to the only workspace that is left.
      await guest.waitForURL('**/w/acme/tours');
      await guest.goto('/w/crew/tours');
      await expect(
        guest.getByText('This workspace doesn’t exist, or you don’t have access to it.').first(),
      ).toBeVisible();
      await guest.goto(link);
      await expect(guest.getByRole('alert')).toContainText('This invitation was accepted already.');
      await guest.getByRole('link', { name: 'Go to your workspaces' }).click();
      await guest.waitForURL('**/w/acme/tours');
      expect(await kept(guest)).toBeNull();
    });

    await test.step('a new link ends the old one, and revoking ends both', async () => {
      await admin.goto('/w/crew/members');
      const first = await invite(admin, 'viewer@waypost.example');
      await invitations(admin).getByRole('button', { name: 'New link for viewer@waypost.example' }).click();
      const second = await takeLink(admin);
      await guest.goto(first);
      await expect(guest.getByRole('alert')).toContainText('No invitation has this link.');
      await invitations(admin).getByRole('button', { name: 'Revoke invitation for viewer@waypost.example' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expectNotice(admin, 'Invitation for viewer@waypost.example revoked.');
      await expect(invitations(admin)).toContainText('No pending invitations.');
      await guest.goto(second);
      await expect(guest.getByRole('alert')).toContainText('This invitation was taken back.');
    });

    await test.step('without its last part a link says what is missing', async () => {
      await guest.getByRole('link', { name: 'Go to your workspaces' }).click();
      await guest.waitForURL('**/w/acme/tours');
      await guest.goto('/invite');
      await expect(guest.getByRole('heading', { name: 'No invitation found' })).toBeVisible();
      await inspect(guest, 'no invitation');
    });

    await test.step('the last administrator stays', async () => {
      await admin.getByRole('button', { name: 'Leave workspace' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await expect(admin.getByRole('dialog').getByRole('alert')).toContainText(
        'A workspace needs at least one administrator.',
      );
      await admin.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });
  });

  await test.step('all of it in German', async () => {
    link = await invite(admin, 'viewer@waypost.example');
    const german = await another('de-DE');
    await german.goto(link);
    await expect(german.getByRole('heading', { name: 'Sie sind eingeladen' })).toBeVisible();
    await germanOnly(german, 'an invitation before signing in');
    await german
      .getByRole('button', { name: /^Mit .+ anmelden$/ })
      .first()
      .click();
    await enterPassword(german, 'viewer');
    await expect(
      german.getByText('Ada Admin hat Sie in den Arbeitsbereich „Crew“ eingeladen, mit der Rolle „Schreiben“.'),
    ).toBeVisible();
    await germanOnly(german, 'an invitation');
    await inspect(german, 'an invitation in German');
    await german.getByRole('button', { name: 'Crew beitreten' }).click();
    await german.waitForURL('**/w/crew/tours');
  });
  for (const context of contexts) await context.close();
});
