import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Rules of axe whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * `where` names the page in failures. `open` means that an overlay such as a menu is open, which is outside the page's
 * landmarks.
 */
export async function expectAccessible(
  page: Page,
  where: string,
  { open = false, colors = false } = {},
): Promise<void> {
  await waitUntilStill(page);
  // Independent of the Content-Security-Policy.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source);
  const rules = colors ? { runOnly: COLOR_RULES } : { rules: { region: { enabled: !open } } };
  const violations: Violation[] = await page.evaluate(
    async options => {
      const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
      return (await axe.run(options)).violations;
    },
    { resultTypes: ['violations'], ...rules },
  );
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(node => `    ${node.target.join(' ')}\n      ${node.failureSummary ?? ''}`).join('\n')}`,
  );
  expect(found, `accessibility of ${where}`).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  await waitUntilStill(page);
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const beyond = [...document.body.querySelectorAll('*')].filter(
        each => each.getBoundingClientRect().right > clientWidth && !each.closest('.sr-only'),
      );
      return [`${scrollWidth - clientWidth} pixels`, ...beyond.slice(0, 5).map(each => each.outerHTML.slice(0, 120))];
    });
  // Measured shortly after a resize.
  await expect.poll(tooWide, `${where} is wider than the window`).toEqual([]);
}

async function waitUntilStill(page: Page): Promise<void> {
  // Background pages are not rendered.
  await page.bringToFront();
  await page.evaluate(settled);
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

/** Checks all rules in light only, because the color scheme changes nothing but colors. */
export async function inspect(page: Page, where: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, `${where}, ${size}, ${colorScheme}`, { colors: colorScheme === 'dark' });
    }
    await expectNoSidewaysScroll(page, `${where}, ${size}`);
  }
  await page.setViewportSize(desktop);
}

/**
 * axe measures colors at one instant, so two consecutive frames must be without an animation. Ignores endless ones,
 * and gives up after five seconds.
 */
async function settled(): Promise<void> {
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  const late = new Promise(resolve => setTimeout(resolve, 5000, 'late'));
  for (let still = 0; still < 2; still += 1) {
    if ((await Promise.race([frame(), late])) === 'late') return;
    const changes = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    if (changes.length > 0) still = -1;
    await Promise.race([Promise.allSettled(changes.map(change => change.finished)), late]);
  }
}
