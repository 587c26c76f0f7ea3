// Starts a version with the SQLite database of an earlier one, and then again, while members and pages use it.

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { startLoad } from './load.mjs';
import { equal } from './packaging/expect.mjs';
import { freePort, ROOT, startServer } from './processes.mjs';
import { inOrder } from './suites.mjs';

const VERSIONS = join(ROOT, 'server/waypost/resolvers/tests/upgrade/fixtures');

/** A process has the database for itself, so requests wait until the new one is ready. */
const MAX_PAUSE_SECONDS = 20;

/**
 * @param {string} program a compiled waypost
 * @returns {Promise<import('./suites.mjs').Count>}
 */
export function testUpdates(program) {
  const tests = readdirSync(VERSIONS).map(version => [`from ${version}`, () => testUpdate(program, version)]);
  return inOrder(Object.fromEntries(tests));
}

async function testUpdate(program, version) {
  const data = mkdtempSync(join(tmpdir(), 'waypost-update-'));
  copyFileSync(join(VERSIONS, version, 'waypost.db'), join(data, 'waypost.db'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const issuer = await startIssuer();
  const env = {
    WAYPOST_DATA: data,
    WAYPOST_PUBLIC_URL: origin,
    PORT: String(port),
    WAYPOST_LOG: 'warn',
    WAYPOST_MIN_FREE_DISK: '0',
    WAYPOST_OIDC_ISSUER: issuer.url,
    WAYPOST_OIDC_CLIENT_ID: 'bench',
    WAYPOST_OIDC_AUDIENCE: 'bench',
  };
  const start = () => startServer(program, ['serve'], { url: `${origin}/readyz`, name: 'Waypost', env });
  let server;
  try {
    // The first requests arrive before the server has migrated the database.
    const starting = startLoad({ origin, token: issuer.token });
    server = await start();
    const load = await starting;
    const { seconds } = await load.observe(async () => {
      await server.stop();
      server = await start();
    });
    const { acknowledged, lost, wrong, internal, unexpected, streams } = await load.finish();
    for (const pause of Object.values(seconds)) equal(pause < MAX_PAUSE_SECONDS, true);
    equal(acknowledged > 50, true);
    equal(JSON.stringify({ lost, wrong, internal, unexpected, behind: streams.behind }), NOTHING);
  } finally {
    await server?.stop();
    issuer.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const NOTHING = JSON.stringify({ lost: 0, wrong: 0, internal: 0, unexpected: {}, behind: 0 });
