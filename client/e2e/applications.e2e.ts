/**
 * Tours on applications that are not ours, installed from package registries. `WAYPOST_APPLICATIONS` names those to
 * test, or `all`. Without it, none is tested, because the applications are large.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, TARGET } from '../../.scripts/lib/processes.mjs';
import { send } from './api';
import { adminer } from './applications/adminer';
import type { Application, Step } from './applications/application';
import { datasette } from './applications/datasette';
import { jupyterLab } from './applications/jupyterlab';
import { nodeRed } from './applications/node-red';
import { verdaccio } from './applications/verdaccio';
import { expect, test } from './fixtures';
import { OPEN_ROOTS, popover, press } from './foreign-site';
import { signIn } from './people';

const selected = (process.env['WAYPOST_APPLICATIONS'] ?? '').split(',').filter(Boolean);
const applications = [verdaccio, nodeRed, jupyterLab, adminer, datasette].filter(({ name }) =>
  selected.some(each => each === 'all' || name.startsWith(each)),
);

const titleOf = (index: number) => `Step ${index + 1}`;

function stepInput({ on, until, page, free, side }: Step, index: number) {
  const advance =
    until === undefined
      ? { on: 'BUTTON' }
      : until === 'click'
        ? { on: 'TARGET_CLICK' }
        : { on: 'ELEMENT', selector: until };
  return {
    key: `step-${index + 1}`,
    kind: on === null ? 'MODAL' : free ? 'TOOLTIP' : 'SPOTLIGHT',
    title: titleOf(index),
    body: 'A **short** text.',
    target: on === null ? null : { by: 'SELECTOR', value: on },
    missingTarget: 'END_RUN',
    waitMs: 30_000,
    side: side ?? 'AUTO',
    page: page ?? null,
    advance,
  };
}

/** Installs an application, unless an earlier run has completed its installation. */
async function installed({ name, install }: Application): Promise<string> {
  const folder = join(TARGET, 'applications', name);
  const complete = join(folder, '.complete');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(complete, '');
  return folder;
}

for (const application of applications)
  test(`a tour plays on ${application.name}`, async ({ page, browser, waypost }) => {
    test.setTimeout(600_000);
    const folder = await installed(application);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const { name, steps, path } = application;
    const slug = name.replaceAll('.', '-');

    await signIn(page, 'admin', '/w/acme/sites');
    const { workspace } = await send(page, 'Sites', { slug: 'acme' });
    const { siteCreate: site } = await send(page, 'SiteCreate', {
      input: { workspaceId: workspace?.['id'], name, origins: [origin] },
    });
    const { tourCreate: tour } = await send(page, 'TourCreate', {
      input: { workspaceId: workspace?.['id'], title: name, slug },
    });
    const input = { id: tour?.['id'], expectedVersion: 1, steps: steps.map(stepInput) };
    const { tourSave: saved } = await send(page, 'TourSave', { input });
    await send(page, 'TourRelease', {
      input: { tourId: tour?.['id'], expectedVersion: saved?.['version'], siteIds: [site?.['id']] },
    });

    const data = mkdtempSync(join(tmpdir(), 'waypost-application-'));
    const service = await application.start({
      folder,
      data,
      port,
      waypost: waypost.origin,
      key: String(site?.['key']),
    });
    const context = await browser.newContext();
    try {
      const visitor = await context.newPage();
      const messages: string[] = [];
      visitor.on('console', message => messages.push(message.text()));
      visitor.on('pageerror', error => messages.push(error.stack ?? String(error)));
      await visitor.addInitScript(OPEN_ROOTS);
      await visitor.goto(origin + path);
      const last = steps.length - 1;
      for (const [index, { on, use, reload }] of steps.entries()) {
        await expect(popover(visitor, titleOf(index))).toBeVisible();
        if (reload) await visitor.reload();
        await expect(popover(visitor, titleOf(index))).toBeVisible();
        if (on) await expect(visitor.locator(on).first()).toBeInViewport();
        await visitor.screenshot({ path: test.info().outputPath(`${index + 1}.png`), animations: 'disabled' });
        if (use) await use(visitor);
        else await press(visitor, titleOf(index), index === last ? 'Done' : 'Next');
      }
      await expect(visitor.locator('[data-waypost]')).toHaveCount(0);
      // Also has the messages of the application.
      writeFileSync(test.info().outputPath('console.txt'), messages.join('\n'));
      expect(messages.filter(message => message.includes(waypost.origin) || /content.security/i.test(message))).toEqual(
        [],
      );
    } finally {
      await context.close();
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    }
    await page.goto(`/w/acme/tours/${slug}/insights`);
    const funnel = page.getByRole('region', { name: 'Funnel' });
    await expect(funnel.getByRole('row')).toHaveCount(steps.length + 2);
    await expect(
      page
        .getByRole('region', { name: 'Recent runs' })
        .getByRole('table')
        .getByText('completed', { exact: true })
        .first(),
    ).toBeVisible();
  });
