import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages, unpackPackage } from './debian.mjs';

const PACKAGE = {
  /** Dependencies that only set up a service. */
  excluded: /^(?:postgresql-common|postgresql-client-common|perl|lib\S*-perl|ssl-cert|netbase|adduser|ucf)/,
  advice:
    'The PostgreSQL tests require its programs: install the package `postgresql`, or set WAYPOST_POSTGRES_BIN to the folder that contains initdb.',
};

/** Installs PostgreSQL and PgBouncer. */
export async function requirePostgres() {
  await requireServer();
  await requirePooler();
}

/** server/waypost/testkit searches the same folders. */
async function requirePooler() {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const isInstalled = () => [...path, '/usr/sbin'].some(folder => existsSync(join(folder, 'pgbouncer')));
  if (isInstalled()) return;
  await installDebianPackages(['pgbouncer']);
  if (isInstalled()) return;
  const advice = 'The tests of a pooler require PgBouncer: install the package `pgbouncer`.';
  const root = await unpackPackage('pgbouncer', { advice, excluded: PACKAGE.excluded });
  process.env['PATH'] = [...path, join(root, 'usr/sbin')].join(delimiter);
}

/** server/waypost/testkit searches the same folders and WAYPOST_POSTGRES_BIN. */
async function requireServer() {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const folders = [process.env['WAYPOST_POSTGRES_BIN'] ?? '', ...binariesIn('/'), ...path];
  if (folders.some(isComplete)) return;
  // As root, tests run the server as another user, who cannot read programs in the home folder of root.
  await installDebianPackages(['postgresql']);
  if (binariesIn('/').some(isComplete)) return;
  const root = await unpackPackage('postgresql', PACKAGE);
  process.env['WAYPOST_POSTGRES_BIN'] = binariesIn(root).find(isComplete);
}

function binariesIn(root) {
  const versions = join(root, 'usr/lib/postgresql');
  return existsSync(versions) ? readdirSync(versions).map(version => join(versions, version, 'bin')) : [];
}

function isComplete(folder) {
  return folder !== '' && ['initdb', 'pg_ctl', 'postgres', 'createdb'].every(name => existsSync(join(folder, name)));
}
