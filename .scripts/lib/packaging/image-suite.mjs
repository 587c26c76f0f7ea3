// Runs the container image as the README of server/packaging describes.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessToken } from '../../../server/waypost/bench/access-token.mjs';
import { requirePrograms } from '../debian.mjs';
import { startProvider } from '../development.mjs';
import { freePort, ROOT, run, runOrFail, startServer, UserError } from '../processes.mjs';
import { inOrder } from '../suites.mjs';
import { saveImage } from './artifacts.mjs';
import { equal, includes, ready } from './expect.mjs';

const CONTAINER = 'waypost-test';

const VOLUME = 'waypost-test-data';

/** The type of a list of images for several architectures. */
const INDEX = 'application/vnd.oci.image.index.v1+json';

/** A read-only file system and no privileges, as server/docs/install.md recommends. */
const RESTRICTED = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'];

/** The default limits exceed those that a container may set on some machines. */
const LIMITS = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];

/**
 * @param {{ version: string, tag: string, folder: string, env: Record<string, string> }} options `folder` is for temporary
 *   files; `env` selects the storage with the image
 */
export async function testImage({ version, tag, folder, env }) {
  // runc, because crun refuses systems with both versions of control groups.
  await requirePrograms({ podman: 'podman', runc: 'runc', conmon: 'conmon', 'docker-registry': 'docker-registry' });
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const provider = await startProvider({ port: providerPort, origins: [origin], folder, onLine: () => {} });
  const podman = (...args) => run('podman', ['--runtime=runc', ...args], { env, output: 'collect' });
  try {
    return await inOrder(scenario({ podman, version, tag, folder, env, origin, port, providerPort }));
  } finally {
    // `system reset` would also delete the networks of the machine.
    await podman('rm', '--force', CONTAINER);
    await podman('volume', 'rm', '--force', '--all');
    await provider.stop();
  }
}

function scenario({ podman, version, tag, folder, env, origin, port, providerPort }) {
  const must = async (...args) => {
    const { code, output } = await podman(...args);
    if (code !== 0) throw new UserError(`podman ${args.join(' ')} exited with ${code}:\n${output}`);
    return output;
  };
  const isReady = () => ready(origin, () => must('logs', CONTAINER));
  const start = async (volume = VOLUME) => {
    const settings = {
      PORT: String(port),
      // The container shares the network of this machine.
      WAYPOST_BIND: '127.0.0.1',
      WAYPOST_OIDC_ISSUER: `http://localhost:${providerPort}`,
      WAYPOST_OIDC_CLIENT_ID: 'waypost',
      WAYPOST_OIDC_RESOURCE: 'urn:waypost:api',
      WAYPOST_OIDC_ROLES_WORKSPACE: 'acme',
      WAYPOST_SAMPLE: 'tours',
    };
    const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
    const options = ['--detach', `--name=${CONTAINER}`, '--network=host', ...RESTRICTED, ...LIMITS];
    await must('run', ...options, `--volume=${volume}:/var/lib/waypost`, ...environment, tag, 'serve');
    await isReady();
  };
  const stop = async () => {
    await must('stop', '--time=15', CONTAINER);
    await must('rm', CONTAINER);
  };
  let token = '';
  let released = '';
  const tours = () => client('tours', '--workspace=acme', '--json');
  const client = (...args) =>
    must('exec', `--env=WAYPOST_TOKEN=${token}`, CONTAINER, 'waypost', ...args, '--server', origin);

  return {
    'the server is ready on a read-only file system, without privileges': async () => {
      await start();
      const process = (await must('inspect', '--format={{.State.Pid}}', CONTAINER)).trim();
      const status = readFileSync(`/proc/${process}/status`, 'utf8');
      for (const line of ['Uid:\t65532\t65532', 'CapEff:\t0000000000000000', 'NoNewPrivs:\t1']) includes(status, line);
      equal((await podman('exec', CONTAINER, '/bin/sh', '-c', 'true')).code === 0, false);
    },
    'the health check calls the server': async () => {
      await must('healthcheck', 'run', CONTAINER);
      const { code, output } = await podman('exec', '--env=PORT=1', CONTAINER, 'waypost', 'healthcheck');
      equal(code, 1);
      includes(output, 'does not respond');
    },
    'the volume keeps the data of a container that is replaced': async () => {
      token = await accessToken({ provider: `http://localhost:${providerPort}`, origin, name: 'admin' });
      const terms = ['--workspace=acme', '--site=Demo shop', '--rollout=37', '--yes'];
      await client('release', 'first-order', ...terms);
      released = await tours();
      await stop();
      await start();
      equal(await tours(), released);
    },
    'a backup is restored into another volume': async () => {
      const backup = join(folder, 'backup.db');
      await must('exec', CONTAINER, 'waypost', 'backup', '/var/lib/waypost/backup.db');
      await must('cp', `${CONTAINER}:/var/lib/waypost/backup.db`, backup);
      chmodSync(backup, 0o644);
      await stop();
      const volumes = [`--volume=${VOLUME}-2:/var/lib/waypost`, `--volume=${backup}:/backup.db:ro`];
      await must('run', '--rm', ...RESTRICTED, ...LIMITS, '--network=none', ...volumes, tag, 'restore', '/backup.db');
      await start(`${VOLUME}-2`);
      equal(await tours(), released);
    },
    'the server stops in time': async () => {
      await must('stop', '--time=15', CONTAINER);
      equal((await must('inspect', '--format={{.State.ExitCode}}', CONTAINER)).trim(), '0');
    },
    'without a command, the image starts a demo': async () => {
      await must('rm', CONTAINER);
      const environment = [`--env=PORT=${port}`, '--env=WAYPOST_BIND=127.0.0.1'];
      const options = ['--detach', `--name=${CONTAINER}`, '--network=host', ...RESTRICTED, ...LIMITS];
      await must('run', ...options, ...environment, tag);
      await isReady();
      const issuer = await (await fetch(`${origin}/auth/demo/.well-known/openid-configuration`)).json();
      equal(issuer.issuer, `${origin}/auth/demo`);
      await stop();
    },
    'a registry receives the image': async () => {
      const registryPort = await freePort();
      const configuration = join(folder, 'registry.yml');
      const http = `http: { addr: "127.0.0.1:${registryPort}" }`;
      const storage = `storage: { filesystem: { rootdirectory: "${join(folder, 'registry')}" } }`;
      writeFileSync(configuration, `version: 0.1\n${storage}\n${http}\n`);
      const url = `http://127.0.0.1:${registryPort}/v2/`;
      const registry = await startServer('docker-registry', ['serve', configuration], { url });
      try {
        const archive = await saveImage({ version, tag, folder, env });
        const repository = `127.0.0.1:${registryPort}/waypost/waypost`;
        const publish = join(ROOT, 'server/packaging/image/publish.sh');
        const collect = /** @type {const} */ ({ env: { ...env, TLS: 'false' }, output: 'collect' });
        await runOrFail('Publishing the image', publish, [repository, version, archive], collect);
        const list = await (
          await fetch(`${url}waypost/waypost/manifests/${version}`, { headers: { accept: INDEX } })
        ).json();
        equal(list.manifests.length, 1);
      } finally {
        await registry.stop();
      }
    },
  };
}
