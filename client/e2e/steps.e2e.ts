import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, openDemo, popover, signIn } from './people';

test.describe.configure({ timeout: 180_000 });

const beacons = (page: Page): Locator => page.locator('.beacon');
const saved = (page: Page): Promise<void> => expect(page.getByText('All changes saved')).toBeVisible();
const demo = (page: Page, name: string): Locator => page.locator(`[data-tour="play-${name}"]`);

async function create(page: Page, title: string, template: string): Promise<void> {
  await signIn(page, 'admin', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('radio', { name: template }).check();
  await page.getByRole('button', { name: 'Create tour' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await saved(page);
}

test('a hands-on tour advances with clicks, events and branches', async ({ page }) => {
  await create(page, 'An order', 'Example: hands-on order');
  await expect(page.getByText('Ready to release')).toBeVisible();
  await expectAccessible(page, 'the editor of a step with branches');
  await page.getByRole('button', { name: 'Preview' }).click();

  await test.step('a branch button continues with its step', async () => {
    const choice = popover(page, 'What brings you here?');
    await expect(choice.getByRole('button', { name: 'Next' })).toHaveCount(0);
    await expectAccessible(page, 'a popover with a choice', { open: true });
    await choice.getByRole('button', { name: 'Place an order' }).click();
  });

  await test.step('a tooltip keeps the page usable and advances on a click', async () => {
    const tooltip = popover(page, 'Open your cart');
    await expect(tooltip).toHaveAttribute('aria-modal', 'false');
    await expect(page.locator('.blocker')).toBeHidden();
    await expectAccessible(page, 'a tooltip', { open: true });
    // The popover must not take the focus or keys from the page.
    await demo(page, 'search').getByRole('searchbox').fill('lamp');
    await page.keyboard.press('ArrowLeft');
    await expect(tooltip).toBeVisible();
    await demo(page, 'cart').click();
  });

  await test.step('the next steps wait for an event and for an element', async () => {
    await expect(popover(page, 'Place your order')).toBeVisible();
    await demo(page, 'order').click();
    const thanks = popover(page, 'All done');
    await expect(thanks).toBeVisible();
    await expectAccessible(page, 'a spotlight', { open: true });
    await thanks.getByRole('button', { name: 'Previous' }).click();
    // It and the steps before are skipped.
    await expect(popover(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(popover(page)).toHaveCount(0);
  });
});

test('consecutive hotspots appear together and open on click', async ({ page }) => {
  await create(page, 'Some hotspots', 'Example: hands-on order');
  await page.getByRole('button', { name: 'Preview' }).click();
  await popover(page).getByRole('button', { name: 'Look around' }).click();
  await expect(beacons(page)).toHaveCount(2);
  await expect(page.locator('.blocker')).toBeHidden();
  await expectAccessible(page, 'two hotspots', { open: true });

  await test.step('hotspots follow their elements when the page changes', async () => {
    const distance = async () => {
      const [beacon, element] = [
        await page.getByRole('button', { name: 'Tip: Ask us' }).boundingBox(),
        await demo(page, 'help').boundingBox(),
      ];
      return beacon && element ? Math.abs(beacon.y + beacon.height / 2 - element.y) : Infinity;
    };
    await demo(page, 'cart').click();
    await expect(demo(page, 'order')).toBeVisible();
    await expect.poll(distance).toBeLessThan(10);
    await demo(page, 'home').click();
    await expect(demo(page, 'orders')).toBeVisible();
    await expect.poll(distance).toBeLessThan(10);
  });

  await page.getByRole('button', { name: 'Tip: Find anything' }).focus();
  await page.keyboard.press('Enter');
  const tip = popover(page, 'Find anything');
  await expect(tip.getByRole('button', { name: 'Got it' })).toBeFocused();
  await expectAccessible(page, 'an open hotspot', { open: true });
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Tip: Find anything' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tip.getByRole('button', { name: 'Got it' })).toBeFocused();
  await test.step('it opens again at once, before the page was updated', () =>
    tip.getByRole('button', { name: 'Got it' }).evaluate(button => {
      const press = (target: Element, key: string) =>
        target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }));
      const beacon = (button.getRootNode() as ShadowRoot).querySelector('.beacon[aria-expanded=true]');
      press(button, 'Escape');
      if (beacon) press(beacon, 'Enter');
    }));
  await tip.getByRole('button', { name: 'Got it' }).click();
  await expect(beacons(page)).toHaveCount(1);
  // Its element is at the bottom of the page, where the popover does not fit below it.
  await page.setViewportSize({ width: 1280, height: 800 });
  await beacons(page).click();
  await expect(popover(page, 'Ask us')).toBeInViewport({ ratio: 1 });
  await popover(page, 'Ask us').getByRole('button', { name: 'Got it' }).click();
  await expect(beacons(page)).toHaveCount(0);
});

test('a tour starts for members on an event, on any page', async ({ page, browser, baseURL }) => {
  await create(page, 'For members', 'Blank');
  await test.step('set the start rule', async () => {
    await page.getByRole('button', { name: 'Start and theme' }).click();
    await page.getByLabel('Starts').selectOption('EVENT');
    await expect(page.getByText('Not saved')).toHaveCount(0);
    await page.getByLabel('Event', { exact: true }).fill('order_placed');
    await page.getByLabel('Who sees it').selectOption({ label: 'Custom rules' });
    const rules = page.getByRole('dialog', { name: 'Custom rules' });
    await rules.getByLabel('Trait', { exact: true }).fill('customer');
    await rules.getByLabel('Value').fill('member');
    await expectAccessible(page, 'the dialog of custom rules', { open: true });
    await rules.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('If customer is member', { exact: true })).toBeVisible();
    await expect(
      page.getByText('Starts when order_placed is received on every page, once per visitor, if customer is member.'),
    ).toBeVisible();
    await expectAccessible(page, 'the start rule');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Thank you');
    await saved(page);
  });
  const key = await test.step('release it', async () => {
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('button', { name: 'New site' }).first().click();
    await page.getByLabel('Name').fill('Members');
    await page.getByLabel('Allowed origins').fill(baseURL ?? '');
    await page.getByRole('button', { name: 'Create site' }).click();
    const made = await page.getByLabel('Site key').inputValue();
    await expect(page.getByLabel('Cooldown (hours)')).toHaveValue('24');
    await page.getByRole('link', { name: 'Tours' }).first().click();
    await page.getByRole('link', { name: 'For members' }).click();
    await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Releases' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog', { name: /^Release revision/ });
    await dialog.getByRole('checkbox', { name: 'Members' }).check();
    await dialog.getByRole('button', { name: 'Release' }).click();
    await expectNotice(page, '“For members” is released to Members. It starts once Waypost is installed there.');
    return made;
  });
  const visitor = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const order = async (shop: Page, customer: string) => {
    // The script listens for events when it has the response for this customer.
    const booted = shop.waitForResponse(
      response =>
        response.url().endsWith('/e/boot') && (response.request().postData() ?? '').includes(`"value":"${customer}"`),
    );
    await openDemo(shop, key);
    await demo(shop, 'customer').getByRole('combobox').selectOption(customer);
    await booted;
    await expect(
      customer === 'member'
        ? shop.getByRole('button', { name: 'Start “For members”' })
        : shop.getByText('No tour for this visitor right now'),
    ).toBeVisible();
    await demo(shop, 'cart').click();
    await demo(shop, 'order').click();
  };
  const shop = await visitor.newPage();
  await order(shop, 'guest');
  await expect(demo(shop, 'thanks')).toBeVisible();
  await expect(popover(shop)).toHaveCount(0);
  await order(shop, 'member');
  await expect(popover(shop, 'Thank you')).toBeVisible();
  await visitor.close();
});

test('a second click on Next in a preview does nothing, and a click outside closes a step only if it says so', async ({
  page,
}) => {
  await create(page, 'Fast clicks', 'Example: the demo shop');
  await page.getByText('Buttons and details').first().click();
  const option = page.getByRole('checkbox', { name: 'End on a click outside' });
  await expect(option).not.toBeChecked();
  await expectAccessible(page, 'the options of a step');
  await page.getByRole('button', { name: 'Preview' }).click();
  const count = popover(page).locator('.count');
  await expect(count).toHaveText('1 of 5');
  for (const at of [2, 3]) {
    const next = await popover(page)
      .locator('.primary')
      .evaluateHandle((button: HTMLElement) => button);
    const { x, y, width, height } = await next.evaluate(button => button.getBoundingClientRect().toJSON() as DOMRect);
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await expect(count).toHaveText(`${at} of 5`);
  }
  await page.mouse.click(5, 800);
  await expect(count).toHaveText('3 of 5');
  await page.keyboard.press('Enter');
  await expect(count).toHaveText('4 of 5');
});

test('a step with branches fits a phone', async ({ page }) => {
  await create(page, 'On a phone', 'Example: hands-on order');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, 'the editor of a step with branches');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(popover(page, 'What brings you here?')).toBeVisible();
});
