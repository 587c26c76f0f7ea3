import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test, watch } from './fixtures';
import { expectNotice, expectNoticesCoverNothing, signIn } from './people';

test.describe.configure({ timeout: 240_000 });

const tour = '/w/acme/tours/reviewed';
const review = `${tour}/revisions`;
const inspector = (page: Page, step: number) => page.getByRole('region', { name: `Step ${step}`, exact: true });
const saved = (page: Page) => expect(page.getByText('All changes saved')).toBeVisible();
const changes = (page: Page) => page.getByRole('list', { name: 'Changes', exact: true });
const inbox = (page: Page) => page.getByRole('button', { name: 'Reviews for you' });
const openComments = (page: Page) => page.getByRole('list', { name: 'Open comments' });

const variants = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 740, colorScheme: 'light' },
] as const;

async function checkScreen(page: Page, name: string): Promise<void> {
  for (const { name: variant, colorScheme, ...size } of variants) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page, `${name}, ${variant}`);
    await expectNoSidewaysScroll(page, `${name}, ${variant}`);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function requireReviews(page: Page, required: boolean): Promise<void> {
  await page.goto('/w/acme/settings');
  const setting = page.getByLabel('Require review before release');
  await expect(setting).toBeVisible();
  await setting.setChecked(required);
  await expectNotice(page, required ? 'Reviews are now required.' : 'Reviews are no longer required.');
}

test('a tour is written, reviewed, sent back for changes, reviewed again and released by another account', async ({
  page: author,
  browser,
  baseURL,
}) => {
  const contexts: BrowserContext[] = [];
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), locale: 'en-GB' });
    contexts.push(context);
    return context.newPage();
  };
  const admin = await newPage();
  const reviewer = await newPage();

  await watch(reviewer, async () => {
    await test.step('an administrator requires reviews', async () => {
      await signIn(admin, 'admin', '/w/acme/settings');
      await requireReviews(admin, true);
      await checkScreen(admin, 'settings-reviews');
    });

    await test.step('an author writes a tour and cannot release it', async () => {
      await signIn(author, 'author', '/w/acme/tours');
      await author.getByRole('button', { name: 'New tour' }).first().click();
      await author.getByLabel('Title').fill('Reviewed');
      await author.getByRole('button', { name: 'Create tour' }).click();
      for (const [step, title] of ['Hello', 'Good to know'].entries()) {
        await author.getByRole('button', { name: 'Add step' }).click();
        await inspector(author, step + 1)
          .getByLabel('Title')
          .fill(title);
        if (step === 1) await inspector(author, 2).getByLabel('data-tour name').fill('play-cart');
      }
      await saved(author);
    });

    await test.step('the reviewer has nothing to review yet', async () => {
      await signIn(reviewer, 'publisher', '/w/acme/tours');
      await expect(reviewer.getByRole('link', { name: /Reviewed/ })).toBeVisible();
      await expect(reviewer.getByRole('region', { name: 'Reviews' })).toHaveCount(0);
      await reviewer.goto('/w/acme/themes');
      await expect(reviewer.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(inbox(reviewer)).toHaveCount(0);
    });

    await test.step('the author requests a review from a publisher with a note, and the draft is locked', async () => {
      await author
        .getByRole('navigation', { name: 'Tour' })
        .getByRole('link', { name: /^Review/ })
        .click();
      await expect(changes(author).getByRole('listitem').filter({ hasText: 'Step 1 “Hello”' })).toContainText('Added.');
      const ask = author.getByRole('button', { name: 'Request review' });
      await ask.click();
      await author.keyboard.press('Escape');
      await expect(ask).toBeFocused();
      await ask.click();
      const asked = author.getByRole('dialog').getByLabel('Reviewer');
      await expect(asked.getByRole('option', { name: 'Otto Author' })).toHaveCount(0);
      await asked.selectOption('Pia Publisher');
      await author.getByRole('dialog').getByLabel('Note').fill('Is the second step clear?');
      await checkScreen(author, 'review-ask');
      await author.getByRole('dialog').getByRole('button', { name: 'Request review' }).click();
      await expectNotice(author, 'Review requested from Pia Publisher.');
      await expect(author.getByText(/^Otto Author requested a review from Pia Publisher/)).toBeVisible();
      await expectNoticesCoverNothing(author);
      const wide = author.viewportSize() ?? { width: 1280, height: 800 };
      await author.setViewportSize({ width: 800, height: 800 });
      await expectNoticesCoverNothing(author, 'header');
      await author.setViewportSize(wide);
      // The focused button was removed, so the focus moves to the main region.
      await expect(author.getByRole('main')).toBeFocused();
      await expect(author.getByText('A publisher or administrator approves it')).toBeVisible();
      await expect(author.getByRole('link', { name: 'Release this revision' })).toHaveCount(0);
      await author.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Edit' }).click();
      await expect(
        author.getByText('This revision is in review. To edit it, withdraw the request or request changes.'),
      ).toBeVisible();
      await expect(author.getByRole('button', { name: 'Add step' })).toHaveAttribute('aria-disabled', 'true');
    });

    await test.step('the request appears on the reviewer’s current page, and not on that of other members', async () => {
      await expectNotice(reviewer, 'Otto Author requested a review of “Reviewed”.');
      await expect(inbox(reviewer)).toHaveText('Reviews for you1');
      await checkScreen(reviewer, 'review-inbox');
      await inbox(reviewer).click();
      await expect(reviewer.getByRole('menuitem', { name: /^Reviewed/ })).toContainText(
        'Otto Author requested a review',
      );
      await expectAccessible(reviewer, 'review-inbox-open', { open: true });
      await reviewer.setViewportSize({ width: 360, height: 740 });
      await reviewer.keyboard.press('Escape');
      await reviewer.getByRole('button', { name: 'Open menu, 1 review is waiting for you' }).click();
      await reviewer.getByRole('dialog').getByRole('button', { name: 'Reviews for you' }).click();
      await reviewer.getByRole('menuitem', { name: /^Reviewed/ }).click();
      await expect(reviewer).toHaveURL(/\/tours\/reviewed\/revisions$/);
      await reviewer.setViewportSize({ width: 1280, height: 860 });
      await admin.goto('/w/acme/tours');
      await expect(admin.getByRole('list', { name: 'Waiting for other reviewers' })).toContainText(
        'Otto Author requested a review from Pia Publisher',
      );
      await expect(inbox(admin)).toHaveCount(0);
    });

    await test.step('the request appears on the reviewer’s list of tours', async () => {
      await reviewer.goto('/w/acme/tours');
      const waiting = reviewer
        .getByRole('list', { name: 'Waiting for your review' })
        .getByRole('link', { name: /Reviewed/ });
      await expect(waiting).toContainText('“Is the second step clear?”');
      await checkScreen(reviewer, 'reviews-waiting');
      const tours = reviewer.getByRole('table', { name: 'Tours', exact: true });
      await reviewer.getByRole('radio', { name: 'In review' }).check();
      await expect(reviewer).toHaveURL(/status=IN_REVIEW/);
      await expect(tours.getByRole('rowheader')).toHaveCount(1);
      await expect(tours).toContainText('Reviewed');
      await waiting.click();
      await expect(reviewer.getByText(/^Otto Author requested a review from Pia Publisher/)).toBeVisible();
    });

    await test.step('the reviewer comments on a step, and the author sees it without reloading', async () => {
      const comments = reviewer.getByRole('region', { name: 'Comments' });
      await comments.getByLabel('About').selectOption({ label: 'Step 2 “Good to know”' });
      await comments.getByLabel('Comment', { exact: true }).fill('Say what is good to know.');
      await comments.getByRole('button', { name: 'Comment', exact: true }).click();
      await expect(openComments(reviewer)).toContainText('Say what is good to know.');
      await expect(comments.getByLabel('Comment', { exact: true })).toHaveValue('');
      await expect(author.getByText('1 open comment', { exact: true }).first()).toBeAttached();
      await checkScreen(reviewer, 'review');
    });

    await test.step('the reviewer requests changes, and the author can edit again immediately', async () => {
      await reviewer.getByRole('button', { name: 'Request changes' }).click();
      await reviewer.getByRole('dialog').getByLabel('Note').fill('One title, please.');
      await reviewer.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click();
      await expect(
        reviewer.getByText('You requested changes. The author can now edit the draft and request a review again.'),
      ).toBeVisible();
      await expect(author.getByText('Pia Publisher requested changes.')).toBeVisible();
      await expect(author.getByText('“One title, please.”')).toBeVisible();
      await author.goto('/w/acme/tours');
      const returned = author.getByRole('list', { name: 'Changes requested' }).getByRole('link', { name: /Reviewed/ });
      await expect(returned).toContainText('Pia Publisher requested changes');
      await expect(returned).toContainText('“One title, please.”');
      await checkScreen(author, 'reviews-returned');
      await author.goto(tour);
      await author
        .getByRole('list', { name: 'Steps in order' })
        .getByRole('button', { name: /^2 Good to know.*1 open comment$/ })
        .click();
      await expect(openComments(author)).toContainText('Say what is good to know.');
      await inspector(author, 2).getByLabel('Title').fill('Your cart is here');
      await saved(author);
      await checkScreen(author, 'review-returned');
      await reviewer.goto('/w/acme/tours');
      await expect(reviewer.getByRole('row', { name: /Reviewed/ })).toContainText('Changes requested');
      await reviewer.goBack();
    });

    await test.step('next to the step, the author comments and can delete only their own comment', async () => {
      const panel = author.getByRole('region', { name: 'Comments on step 2' });
      await panel.getByRole('button', { name: 'Write a comment' }).click();
      await expect(panel.getByLabel('Comment', { exact: true })).toBeFocused();
      await panel.getByLabel('Comment', { exact: true }).fill('Is this better?');
      await panel.getByRole('button', { name: 'Comment', exact: true }).click();
      await expect(openComments(author)).toContainText('Is this better?');
      await expect(openComments(reviewer)).toContainText('Is this better?');
      await checkScreen(author, 'step-comments');
      await expect(panel.getByRole('button', { name: 'Delete comment by Pia Publisher' })).toHaveAttribute(
        'aria-disabled',
        'true',
      );
      await panel.getByRole('button', { name: 'Delete comment by Otto Author' }).click();
      await author.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click();
      await expectNotice(author, 'Comment deleted.');
      await expect(openComments(author).getByRole('listitem')).toHaveCount(1);
      await expect(openComments(reviewer).getByRole('listitem')).toHaveCount(1);
    });

    await test.step('the author replies to the reviewer, who sees it without reloading', async () => {
      const panel = author.getByRole('region', { name: 'Comments on step 2' });
      await panel.getByRole('button', { name: /^Reply.*comment by Pia Publisher$/ }).click();
      await expect(panel.getByLabel('Your reply')).toBeFocused();
      await panel.getByLabel('Your reply').fill('It is about the cart.');
      await checkScreen(author, 'reply-form');
      await panel.getByRole('button', { name: 'Reply', exact: true }).click();
      const replies = (page: Page) => page.getByRole('list', { name: 'Replies to the comment by Pia Publisher' });
      await expect(replies(author)).toContainText('It is about the cart.');
      await expect(panel.getByRole('button', { name: /^Reply.*comment by Pia Publisher$/ })).toBeFocused();
      await expect(replies(reviewer)).toContainText('It is about the cart.');
      await expect(replies(reviewer).getByRole('button', { name: 'Delete reply by Otto Author' })).toHaveAttribute(
        'aria-disabled',
        'true',
      );
      await checkScreen(reviewer, 'replies');
      await panel.getByRole('button', { name: /^Reply.*comment by Pia Publisher$/ }).click();
      await panel.getByLabel('Your reply').fill('Wrong tour.');
      await panel.getByRole('button', { name: 'Reply', exact: true }).click();
      await expect(replies(reviewer).getByRole('listitem')).toHaveCount(2);
      const wrong = replies(author).getByRole('listitem').filter({ hasText: 'Wrong tour.' });
      await wrong.getByRole('button', { name: 'Delete reply by Otto Author' }).click();
      await author.getByRole('dialog').getByRole('button', { name: 'Delete reply' }).click();
      await expectNotice(author, 'Reply deleted.');
      await expect(replies(reviewer).getByRole('listitem')).toHaveCount(1);
    });

    await test.step('next to the start rule, the author comments on the whole tour', async () => {
      await author.getByRole('button', { name: /^Start and theme/ }).click();
      const panel = author.getByRole('region', { name: 'Comments on the whole tour' });
      await expect(panel).toContainText('No open comments on the whole tour.');
      await panel.getByRole('button', { name: 'Write a comment' }).click();
      await panel.getByLabel('Comment', { exact: true }).fill('Are two steps enough?');
      await panel.getByRole('button', { name: 'Comment', exact: true }).click();
      await expect(openComments(author)).toContainText('Are two steps enough?');
      await expect(openComments(reviewer)).toContainText('Are two steps enough?');
      await checkScreen(author, 'tour-comments');
      await panel.getByRole('button', { name: /^Resolve/ }).click();
      await expect(panel).toContainText('No open comments on the whole tour.');
      await expect(panel.getByLabel('Comment', { exact: true })).toBeFocused();
    });

    await test.step('the author resolves the comment and requests a review again', async () => {
      await author.getByRole('link', { name: 'View review' }).click();
      await openComments(author)
        .getByRole('button', { name: /^Resolve/ })
        .click();
      await expect(author.getByText('No open comments.')).toBeVisible();
      await expect(reviewer.getByText('No open comments.')).toBeVisible();
      await author.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Edit' }).click();
      await author.getByRole('button', { name: 'Tour actions' }).click();
      await author.getByRole('menuitem', { name: 'Request review' }).click();
      await expect(author.getByRole('dialog').getByLabel('Reviewer').locator('option:checked')).toHaveText(
        'Pia Publisher',
      );
      await author.getByRole('dialog').getByRole('button', { name: 'Request review' }).click();
      await expect(author).toHaveURL(/revisions$/);
      await expect(reviewer.getByRole('region', { name: 'Revision 1' })).toContainText('In review');
    });

    await test.step('the reviewer sees changes since the last review and can show all steps', async () => {
      const shown = changes(reviewer).getByRole('listitem').filter({ hasText: 'Step ' });
      await expect(reviewer.getByLabel('From')).toHaveText(/When Pia Publisher requested changes/);
      await expect(shown).toHaveCount(1);
      await expect(shown).toContainText('Step 2 “Your cart is here”');
      await expect(shown).toContainText('Title changed from “Good to know” to “Your cart is here”.');
      await checkScreen(reviewer, 'review-again');
      await reviewer.getByLabel('From').selectOption({ label: 'Nothing (show all steps)' });
      await expect(shown).toHaveCount(2);
    });

    await test.step('the reviewer releases what was reviewed', async () => {
      await reviewer.getByRole('link', { name: 'Release this revision' }).click();
      const dialog = reviewer.getByRole('dialog', { name: 'Release revision 1' });
      await expect(dialog).toContainText('Otto Author requested a review');
      await dialog.getByLabel('Demo shop').check();
      await dialog.getByRole('button', { name: 'Release', exact: true }).click();
      await expectNotice(reviewer, '“Reviewed” is released to Demo shop. It starts once Waypost is installed there.');
      await expect(reviewer).toHaveURL(/\/releases$/);
      await expect(inbox(reviewer)).toHaveCount(0);
      await expect(author.getByRole('region', { name: 'Revision 2' })).toContainText('Draft');
      await expect(author.getByRole('list', { name: 'Revisions' })).toContainText('Pia Publisher released it');
    });

    await test.step('the list names the author of the draft, and the time of the release', async () => {
      await reviewer.goto('/w/acme/tours');
      await expect(reviewer.getByRole('row').filter({ hasText: 'Reviewed' })).toContainText(
        /(just now|\d+ (seconds?|minutes?) ago)by Otto Author/,
      );
    });
  });

  await test.step('the author edits again, reads the changes, and restores the earlier content', async () => {
    await author.goto(tour);
    await author
      .getByRole('list', { name: 'Steps in order' })
      .getByRole('button', { name: /^1 Hello/ })
      .click();
    await inspector(author, 1).getByLabel('Title').fill('Hello there');
    await saved(author);
    await author.goto(review);
    await expect(changes(author)).toContainText('Step 1 “Hello there”');
    await expect(changes(author)).toContainText('Title changed from “Hello” to “Hello there”.');
    await checkScreen(author, 'review-changes');
    await author.getByRole('button', { name: 'Restore the content of revision 1' }).click();
    await expect(inspector(author, 1).getByLabel('Title')).toHaveValue('Hello');
    await saved(author);
    await author.getByRole('button', { name: /^Undo: content of revision 1/ }).click();
    await expect(inspector(author, 1).getByLabel('Title')).toHaveValue('Hello there');
    await saved(author);
  });

  await requireReviews(admin, false);
  for (const context of contexts) await context.close();
});
