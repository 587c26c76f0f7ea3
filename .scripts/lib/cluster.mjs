// PostgreSQL servers that fail over: etcd, two servers with Patroni, and HAProxy, with the configuration files of
// server/packaging/postgresql. Runs in a namespace, see namespace.mjs.

import { spawnSync } from 'node:child_process';
import { readFileSync, mkdirSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installDebianPackages, requirePrograms } from './debian.mjs';
import { requirePostgres } from './postgres.mjs';
import { output, ROOT, startService, UserError } from './processes.mjs';

const FOLDER = join(ROOT, 'server/packaging/postgresql');

const PASSWORD = 'not-for-logs';

const MEMBERS = ['pg1', 'pg2'];

export const CLUSTER_HOSTS = { etcd: '127.0.0.10', pg1: '127.0.0.11', pg2: '127.0.0.12' };

export const CLUSTER_FILES = {
  '/etc/patroni/config.yml': join(FOLDER, 'patroni.yml'),
  '/etc/patroni/create-database.sh': join(FOLDER, 'create-database.sh'),
  '/etc/haproxy/postgresql.cfg': join(FOLDER, 'haproxy.cfg'),
};

export const DATABASE_URL = `postgres://waypost:${PASSWORD}@127.0.0.1:5000/waypost`;
export const REPLICA_URL = `postgres://waypost:${PASSWORD}@127.0.0.1:5001/waypost`;

/** Two servers on one machine have the same folder for sockets. */
const OWN_SOCKETS = 'mkdir -p /run/postgresql && mount -t tmpfs -o mode=1777 tmpfs /run/postgresql && exec "$@"';

const START_TIMEOUT_MS = 90_000;

const PACKAGES = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy', ip: 'iproute2', openssl: 'openssl' };

/** Installs the programs that are missing, and throws a `UserError` if that is not possible. */
export async function requireCluster() {
  await requirePostgres();
  await requirePrograms(PACKAGES);
  // Debian’s Patroni needs one of several packages, which depends on where it keeps its state.
  if (output('/usr/bin/python3', ['-c', 'import etcd']) === null) await installDebianPackages(['python3-etcd']);
}

/** Starts a cluster, and waits until its primary waits for its standby at each commit. */
export async function startCluster(folder) {
  const services = new Map();
  const start = (name, user, program, args, env = {}) => {
    const as = ['setpriv', '--reuid', user, '--regid', user, '--init-groups', program, ...args];
    services.set(name, startService('unshare', ['--mount', 'sh', '-c', OWN_SOCKETS, 'sh', ...as], { env }));
  };
  const etcdData = join(folder, 'etcd');
  mkdirSync(etcdData, { mode: 0o700 });
  own(etcdData, 'etcd');
  const etcd = {
    name: 'etcd',
    'data-dir': etcdData,
    'listen-client-urls': `http://${CLUSTER_HOSTS.etcd}:2379`,
    'advertise-client-urls': 'http://etcd:2379',
    'listen-peer-urls': `http://${CLUSTER_HOSTS.etcd}:2380`,
    'initial-advertise-peer-urls': 'http://etcd:2380',
    'initial-cluster': 'etcd=http://etcd:2380',
  };
  start(
    'etcd',
    'etcd',
    'etcd',
    Object.entries(etcd).map(([name, value]) => `--${name}=${value}`),
  );
  const data = name => join('/var/lib/postgresql', name);
  const startMember = name =>
    start(name, 'postgres', 'patroni', ['/etc/patroni/config.yml'], {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `${name}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
      PATRONI_POSTGRESQL_LISTEN: `${name}:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
      // Both members are on this machine.
      PATRONI_POSTGRESQL_DATA_DIR: data(name),
      PATRONI_POSTGRESQL_PGPASS: join('/var/lib/postgresql', `${name}.pgpass`),
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_PASSWORD: PASSWORD,
      POSTGRES_PASSWORD: PASSWORD,
    });
  mkdirSync('/var/lib/postgresql', { recursive: true });
  own('/var/lib/postgresql', 'postgres');
  await waitFor('etcd', async () => (await fetch(`http://${CLUSTER_HOSTS.etcd}:2379/health`)).ok);
  for (const name of MEMBERS) startMember(name);

  const status = async name => (await fetch(`http://${name}:8008/cluster`)).json();
  /** Returns the members by their roles, from one that responds. */
  const roles = async () => {
    for (const name of MEMBERS) {
      const { members = [] } = await status(name).catch(() => ({}));
      if (members.length === 0) continue;
      const withRole = role => members.find(each => each.role === role)?.name;
      return { leader: withRole('leader'), standby: withRole('sync_standby') };
    }
    return {};
  };
  const isComplete = async () => {
    const { leader, standby } = await roles();
    return leader !== undefined && standby !== undefined;
  };
  const log = () => MEMBERS.map(name => services.get(name)?.printed().split('\n').slice(-15).join('\n')).join('\n');
  const waitUntilComplete = () => waitFor('primary with a synchronous standby', isComplete, log);
  await waitUntilComplete();

  const postmaster = name => Number(readFileSync(join(data(name), 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    waitUntilComplete,
    roles,
    /** Ends the primary like a crash. Patroni goes on. */
    async killPrimary() {
      const { leader } = await roles();
      process.kill(postmaster(leader), 'SIGKILL');
      return leader;
    },
    /** Ends the primary and Patroni, like a machine that fails. */
    async killMachine() {
      const { leader } = await roles();
      services.get(leader).child.kill('SIGKILL');
      process.kill(postmaster(leader), 'SIGKILL');
      return leader;
    },
    restartMember: startMember,
    /** Lets the primary and the standby change their roles, as for maintenance. */
    async switchOver() {
      const { leader, standby } = await roles();
      const body = JSON.stringify({ leader, candidate: standby });
      const response = await fetch(`http://${leader}:8008/switchover`, { method: 'POST', body });
      if (!response.ok) throw new UserError(`The switchover failed: ${await response.text()}`);
    },
    async stop() {
      for (const service of [...services.values()].toReversed()) await service.stop();
    },
  };
}

async function waitFor(what, isTrue, log = () => '') {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(200)) {
    if (await isTrue().catch(() => false)) return;
  }
  throw new UserError(`There is no ${what} after ${START_TIMEOUT_MS / 1000} s.\n${log()}`);
}

function own(path, user) {
  const [uid, gid] = ['-u', '-g'].map(option =>
    Number(spawnSync('id', [option, user], { encoding: 'utf8' }).stdout.trim()),
  );
  chownSync(path, uid, gid);
}
