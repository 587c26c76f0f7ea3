/** Looks for accessibility mistakes with axe-core, in the look and size that the page has now. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/**
 * Fails when axe finds a violation of WCAG 2.2 A or AA, or of its best practices. `where` says which page and look it
 * was. With `open`, something lies over the page, a menu for instance, which is rightly outside its landmarks.
 */
export async function expectAccessible(page: Page, where: string, { open = false } = {}): Promise<void> {
  await comeToRest(page);
  // Evaluated by the driver, so the page's Content-Security-Policy stays as it is.
  await page.evaluate(source);
  const violations: Violation[] = await page.evaluate(async region => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
    return (await axe.run({ resultTypes: ['violations'], rules: { region: { enabled: region } } })).violations;
  }, !open);
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(node => `    ${node.target.join(' ')}\n      ${node.failureSummary ?? ''}`).join('\n')}`,
  );
  expect(found, `accessibility of ${where}`).toEqual([]);
}

/** Fails when something sticks out at the side, so that the page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  await comeToRest(page);
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const beyond = [...document.body.querySelectorAll('*')].filter(
        each => each.getBoundingClientRect().right > clientWidth && !each.closest('.sr-only'),
      );
      return [`${scrollWidth - clientWidth} pixels`, ...beyond.slice(0, 5).map(each => each.outerHTML.slice(0, 120))];
    });
  // What measures itself is drawn anew a moment after the window has its size.
  await expect.poll(tooWide, `${where} is wider than the window`).toEqual([]);
}

async function comeToRest(page: Page): Promise<void> {
  // Behind another page nothing is drawn, so nothing would come to rest.
  await page.bringToFront();
  await page.evaluate(settled);
}

const desk = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

/** Looks at the page in light and dark, on a desk and at 360 pixels: no violation that axe finds, nothing that sticks out. */
export async function inspect(page: Page, where: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desk, phone })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, `${where}, ${size}, ${colorScheme}`);
    }
    await expectNoSidewaysScroll(page, `${where}, ${size}`);
  }
  await page.setViewportSize(desk);
}

/**
 * Runs in the page: waits until nothing fades or moves any more, for two frames on end. axe measures the colours in one
 * go, without a frame in between, and one change may begin with the end of another. What turns for ever is not waited for, and
 * after five seconds axe looks at what there is.
 */
async function settled(): Promise<void> {
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  const late = new Promise(resolve => setTimeout(resolve, 5000, 'late'));
  for (let still = 0; still < 2; still += 1) {
    // oxlint-disable-next-line no-await-in-loop
    if ((await Promise.race([frame(), late])) === 'late') return;
    const changes = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    if (changes.length > 0) still = -1;
    // oxlint-disable-next-line no-await-in-loop
    await Promise.race([Promise.allSettled(changes.map(change => change.finished)), late]);
  }
}
