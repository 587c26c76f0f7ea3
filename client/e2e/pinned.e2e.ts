/** A page with a pinned version of the script, which keeps playing after updates of the server. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { send } from './api';
import { watch } from './fixtures';
import { OPEN_ROOTS, press } from './foreign-site';
import { signIn } from './people';
import { startWaypost } from './servers';

/** A loader as it was installed, which must never change. */
const loader = readFileSync(join(import.meta.dirname, 'pinned-loader.txt'));
const file = `loader-${createHash('sha256').update(loader).digest('hex').slice(0, 16)}.js`;
const integrity = `sha384-${createHash('sha384').update(loader).digest('base64')}`;

/** Returns the client of the server that had this loader. */
function earlierClient(folder: string): string {
  const client = join(folder, 'client');
  const player = { file: 'player-0.js', integrity };
  mkdirSync(join(client, 'embed'), { recursive: true });
  writeFileSync(join(client, 'index.html'), '<!doctype html>');
  writeFileSync(join(client, 'embed', file), loader);
  writeFileSync(join(client, 'embed', player.file), '');
  writeFileSync(join(client, 'embed/manifest.json'), JSON.stringify({ loader: { file, integrity }, player }));
  return client;
}

test('a page with an earlier version of the script plays the tours of this server', async ({ browser }) => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'waypost-pinned-'));
  const data = { WAYPOST_DATA: join(folder, 'data') };
  const options = { clientId: 'waypost', otherProvider: null };
  const earlier = { ...data, WAYPOST_CLIENT: earlierClient(folder), WAYPOST_SAMPLE: 'off' };
  await (await startWaypost({ ...options, settings: earlier })).stop();
  const waypost = await startWaypost({ ...options, settings: data });
  const script = `<script async src="${waypost.origin}/embed/${file}" data-key="KEY" integrity="${integrity}" crossorigin="anonymous"></script>`;
  let html = '';
  const shop = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  try {
    const page = await browser.newPage({ baseURL: waypost.origin });
    await signIn(page, 'admin', '/w/acme/sites');
    const { workspace } = await send(page, 'Sites', { slug: 'acme' });
    const workspaceId = workspace?.['id'];
    const { siteCreate: site } = await send(page, 'SiteCreate', {
      input: { workspaceId, name: 'Pinned', origins: [origin] },
    });
    const { tourCreate: tour } = await send(page, 'TourCreate', {
      input: { workspaceId, title: 'Pinned', slug: 'pinned' },
    });
    const steps = ['one', 'two'].map(key => ({ key, kind: 'MODAL', title: `About ${key}` }));
    const { tourSave: saved } = await send(page, 'TourSave', {
      input: { id: tour?.['id'], expectedVersion: 1, steps },
    });
    await send(page, 'TourRelease', {
      input: { tourId: tour?.['id'], expectedVersion: saved?.['version'], siteIds: [site?.['id']] },
    });
    html = `<!doctype html><html lang="en"><title>Shop</title>${script.replace('KEY', String(site?.['key']))}</html>`;
    const visitor = await browser.newPage();
    await visitor.addInitScript(OPEN_ROOTS);
    await watch(visitor, async () => {
      const loaded = visitor.waitForResponse(`${waypost.origin}/embed/${file}`);
      const reported = visitor.waitForResponse(each => (each.request().postData() ?? '').includes('RUN_COMPLETED'));
      await visitor.goto(origin);
      expect((await loaded).status()).toBe(200);
      await press(visitor, 'About one', 'Next');
      await press(visitor, 'About two', 'Done');
      expect((await reported).status()).toBe(200);
    });
    await Promise.all([page.close(), visitor.close()]);
  } finally {
    shop.close();
    await waypost.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
