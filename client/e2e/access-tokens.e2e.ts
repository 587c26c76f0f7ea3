import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, signIn } from './people';

test('a program calls Waypost with an access token until it is revoked', async ({ page, waypost }) => {
  await signIn(page, 'admin', '/w/acme/members');
  const panel = page.getByRole('region', { name: 'Access tokens' });
  await panel.getByRole('button', { name: 'New access token' }).click();
  const form = page.getByRole('dialog', { name: 'New access token' });
  await form.getByLabel('Name').fill('CI of the shop');
  await form.getByLabel('Valid for (days)').fill('1000');
  await form.getByRole('button', { name: 'Create access token' }).click();
  await expect(form.getByLabel('Valid for (days)')).toHaveAccessibleDescription(/366/);
  await form.getByLabel('Valid for (days)').fill('30');
  await expectAccessible(page, 'a new access token', { open: true });
  await form.getByRole('button', { name: 'Create access token' }).click();

  const dialog = page.getByRole('dialog', { name: 'Copy this access token' });
  const secret = dialog.getByLabel('Access token', { exact: true });
  await expect(secret).toBeFocused();
  expect(await secret.evaluate(field => field.scrollLeft)).toBe(0);
  const token = await secret.inputValue();
  await expectAccessible(page, 'the secret of an access token', { open: true });
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alert')).toContainText('You haven’t copied it yet');
  await expectAccessible(page, 'the question about a token that was not copied', { open: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy access token' }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(panel.getByRole('listitem')).toContainText(/CI of the shop.*with the author role.*not used yet/);

  const list = () => waypost.run(['tours', '--server', waypost.origin], { WAYPOST_TOKEN: token });
  const listed = await list();
  expect(listed).toMatchObject({ code: 0 });
  expect(listed.output).toContain('first-order');
  await page.reload();
  await expect(panel.getByRole('listitem')).toContainText('last used');
  await expect(page.getByRole('list', { name: 'Members' })).not.toContainText('CI of the shop');

  await panel.getByRole('button', { name: 'Revoke access token CI of the shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expectNotice(page, 'Access token CI of the shop revoked.');
  await expect(panel).toContainText('No access tokens.');
  expect(await list()).toMatchObject({ code: 5 });
});
