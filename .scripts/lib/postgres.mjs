// Finds PostgreSQL's programs, with which the Rust tests start a server of their own.

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpacked } from './debian.mjs';

const ABOUT = {
  /** What only sets up a service. */
  unneeded: /^(?:postgresql-common|postgresql-client-common|perl|lib\S*-perl|ssl-cert|netbase|adduser|ucf)/,
  advice:
    'The tests of the PostgreSQL store need its programs: install the package `postgresql`, or set WAYPOST_POSTGRES_BIN to the folder that holds initdb.',
};

/** Sees to it that server/waypost-testbed finds the programs: it looks in the same places. */
export async function requirePostgres() {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const places = [process.env['WAYPOST_POSTGRES_BIN'] ?? '', ...binariesIn('/'), ...path];
  if (places.some(isComplete)) return;
  const root = await unpacked('postgresql', ABOUT);
  process.env['WAYPOST_POSTGRES_BIN'] = binariesIn(root).find(isComplete);
}

function binariesIn(root) {
  const versions = join(root, 'usr/lib/postgresql');
  return existsSync(versions) ? readdirSync(versions).map(version => join(versions, version, 'bin')) : [];
}

function isComplete(folder) {
  return folder !== '' && ['initdb', 'pg_ctl', 'postgres', 'createdb'].every(name => existsSync(join(folder, name)));
}
