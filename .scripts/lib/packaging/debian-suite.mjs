// Installs the Debian package on a minimal Debian and uses it as an operator does: from the first start to the removal.

import { appendFileSync, copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { accessToken } from '../../../server/waypost/bench/access-token.mjs';
import { startProvider } from '../development.mjs';
import { freePort, ROOT, UserError } from '../processes.mjs';
import { inOrder } from '../suites.mjs';
import { equal, includes, ready } from './expect.mjs';
import { Machine } from './machine.mjs';

const BACKUPS = '/var/backups/waypost';

/** The limit of `systemd-analyze security`, from 0 (isolated) to 10. */
const MAX_EXPOSURE = 2;

const KEPT = join(ROOT, 'server/waypost/resolvers/tests/upgrade/fixtures/0.1.0/waypost.db');

/** The content of a released tour in the kept database. */
const KEPT_BUNDLE = '2b56c43a738c0aa81846c745b45d0639da9c7d26a1e55400974a4d481745aa8c';

/**
 * @param {{ previous: string, current: string, folder: string }} packages the package of a lower version, and the one to
 *   test; `folder` is for temporary files
 */
export async function testDebianPackage({ previous, current, folder }) {
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const provider = await startProvider({ port: providerPort, origins: [origin], folder, onLine: () => {} });
  const machine = await Machine.start().catch(async error => {
    await provider.stop();
    throw error;
  });
  try {
    return await inOrder(scenario({ machine, previous, current, origin, port, providerPort }));
  } finally {
    await machine.stop();
    await provider.stop();
  }
}

function scenario({ machine, previous, current, origin, port, providerPort }) {
  const install = file => {
    copyFileSync(file, machine.path(`opt/${basename(file)}`));
    return machine.must(`apt-get install --yes --no-install-recommends /opt/${basename(file)} 2>&1`);
  };
  const property = async (unit, name) =>
    (await machine.must(`systemctl show --value --property=${name} ${unit}`)).trim();
  const client = command => machine.must(`${command} --server ${origin} --workspace acme`);
  const releases = () => client(`${signedIn} waypost tours --json`);
  const isReady = () => ready(origin, () => machine.must('journalctl --unit waypost --output cat --lines 30'));
  let signedIn = '';
  let released = '';

  return {
    'the package installs, starts nothing, and prints the next steps': async () => {
      includes(await install(previous), 'systemctl enable --now waypost');
      equal(await property('waypost', 'ActiveState'), 'inactive');
      equal(mode(machine.path('etc/waypost/waypost.env')), '600');
    },
    'a server without settings stops and logs which ones are missing': async () => {
      equal((await machine.run('systemctl start waypost')).code, 1);
      equal(await property('waypost', 'ActiveState'), 'failed');
      equal(await property('waypost', 'NRestarts'), '0');
      includes(await machine.must('journalctl --unit waypost --output cat'), 'WAYPOST_OIDC_ISSUER');
      await machine.must('systemctl reset-failed waypost');
    },
    'a server with settings is ready when systemd has started it': async () => {
      const settings = [
        `PORT=${port}`,
        `WAYPOST_OIDC_ISSUER=http://localhost:${providerPort}`,
        'WAYPOST_OIDC_CLIENT_ID=waypost',
        'WAYPOST_OIDC_RESOURCE=urn:waypost:api',
        'WAYPOST_OIDC_ROLES_WORKSPACE=acme',
        'WAYPOST_SAMPLE=tours',
      ];
      appendFileSync(machine.path('etc/waypost/waypost.env'), `${settings.join('\n')}\n`);
      await machine.must('systemctl enable --now waypost');
      equal((await fetch(`${origin}/readyz`)).status, 200);
      equal(await property('waypost', 'WatchdogUSec'), '1min');
    },
    'the units are valid, and the services have no privileges': async () => {
      const { code, output: messages } = await machine.run(
        'systemd-analyze verify waypost.service waypost-backup.timer',
      );
      equal(`${code} ${messages}`, '0 ');
      const process = await property('waypost', 'MainPID');
      const status = await machine.must(`cat /proc/${process}/status`);
      const uid = (await machine.must('id --user waypost')).trim();
      includes(status, `Uid:\t${uid}\t${uid}`);
      for (const line of ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2'])
        includes(status, line);
      for (const unit of ['waypost', 'waypost-backup']) {
        const report = await machine.must(`systemd-analyze security --no-pager ${unit}.service`);
        const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
        if (!(exposure <= MAX_EXPOSURE)) throw new UserError(`${unit} has the exposure ${exposure}:\n${report}`);
      }
      equal(mode(machine.path('var/lib/waypost')), '700');
      equal(mode(machine.path('var/lib/waypost/waypost.db')), '600');
    },
    'an administrator signs in and releases a tour': async () => {
      const token = await accessToken({ provider: `http://localhost:${providerPort}`, origin, name: 'admin' });
      signedIn = `WAYPOST_TOKEN=${token}`;
      await client(`${signedIn} waypost release first-order --site 'Demo shop' --rollout 37 --yes`);
      released = await releases();
    },
    'the doctor runs as the service does': async () => {
      includes(await machine.must('waypost-admin doctor storage'), 'stores visits');
      // The data folder is readable for the service only.
      equal((await machine.run('waypost-admin doctor oidc')).code, 0);
    },
    'the timer writes backups and keeps the latest ones': async () => {
      equal(await property('waypost-backup.timer', 'ActiveState'), 'active');
      for (let day = 10; day < 30; day += 1)
        writeFileSync(machine.path(`${BACKUPS}/waypost-2020-01-${day}T000000Z.db`), 'old');
      await machine.must('systemctl start waypost-backup.service');
      const files = backups(machine);
      equal([files.length, files[0], files.at(-1)?.slice(0, 10)].join(), '14,waypost-2020-01-17T000000Z.db,waypost-20');
      equal(mode(machine.path(`${BACKUPS}/${files.at(-1)}`)), '600');
    },
    'a backup is restored after the loss of the data': async () => {
      const file = `${BACKUPS}/${backups(machine).at(-1)}`;
      await machine.must('systemctl stop waypost');
      await machine.must('rm -rf /var/lib/waypost && install -d -o waypost -g waypost -m 700 /var/lib/waypost');
      await machine.must(`waypost-admin restore ${file}`);
      await machine.must('systemctl start waypost');
      await isReady();
      equal(await releases(), released);
    },
    'an update writes a backup, restarts the server, and keeps settings and data': async () => {
      const before = await property('waypost', 'MainPID');
      const count = backups(machine).at(-1);
      includes(await install(current), 'Writing a backup');
      await isReady();
      if ((await property('waypost', 'MainPID')) === before) throw new UserError('The old server still runs.');
      if (backups(machine).at(-1) === count) throw new UserError('The update has written no backup.');
      equal(await releases(), released);
    },
    'an update without a backup is refused': async () => {
      await machine.must('mv /var/backups/waypost /var/backups/moved');
      const { code, output } = await machine.run(`dpkg --install /opt/${basename(current)}`);
      await machine.must('mv /var/backups/moved /var/backups/waypost');
      equal(code === 0, false);
      includes(output, 'The backup failed, so Waypost was not updated');
      await machine.must('systemctl reset-failed waypost-backup && dpkg --audit');
      await isReady();
    },
    'a database of version 0.1.0 is migrated': async () => {
      await machine.must('systemctl stop waypost && rm -rf /var/lib/waypost/*');
      copyFileSync(KEPT, machine.path('var/lib/waypost/waypost.db'));
      await machine.must('chown waypost: /var/lib/waypost/waypost.db && systemctl start waypost');
      await isReady();
      const bundle = await fetch(`${origin}/t/${KEPT_BUNDLE}.json`);
      equal(bundle.status, 200);
      const latest = readdirSync(join(ROOT, 'server/waypost/domain/migrations')).toSorted().at(-1)?.slice(0, 4);
      includes(await machine.must(`waypost-admin backup ${BACKUPS}/migrated.db`), `(migration ${Number(latest)})`);
    },
    'a removal stops the server and keeps settings and data': async () => {
      await machine.must('apt-get remove --yes waypost');
      equal(await property('waypost', 'ActiveState'), 'inactive');
      for (const file of ['etc/waypost/waypost.env', 'var/lib/waypost/waypost.db', 'var/backups/waypost/migrated.db'])
        if (!existsSync(machine.path(file))) throw new UserError(`${file} was deleted.`);
    },
    'a purge deletes settings and data, and keeps the backups': async () => {
      includes(await machine.must('apt-get purge --yes waypost 2>&1'), 'backups in /var/backups/waypost are kept');
      equal(existsSync(machine.path('etc/waypost')) || existsSync(machine.path('var/lib/waypost')), false);
      equal(existsSync(machine.path('var/backups/waypost/migrated.db')), true);
    },
  };
}

const backups = machine =>
  readdirSync(machine.path(BACKUPS))
    .filter(name => /^waypost-\d/.test(name))
    .toSorted();

const mode = file => (statSync(file).mode & 0o777).toString(8);
