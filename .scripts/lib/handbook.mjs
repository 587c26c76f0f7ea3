// Executes the shell commands of the operator's handbook against a running server.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { serverEnvironment } from '../../client/dev/environment.mjs';
import { accessToken } from '../../server/waypost/bench/access-token.mjs';
import { installDebianPackages } from './debian.mjs';
import { startProvider } from './development.mjs';
import { builtProgram, freePort, output, ROOT, run, startServer, UserError } from './processes.mjs';

const PAGES = ['handbook', 'install', 'operating', 'high-availability', 'identities'].map(
  name => `server/docs/${name}.md`,
);

/** Programs that the pages use, with their Debian packages. */
const PROGRAMS = { curl: 'curl', openssl: 'openssl' };

/**
 * The commands of a page: the blocks in the language `sh`. A line before a block gives the reason why the tests do not
 * execute it.
 * @param {string} markdown
 * @returns {{ line: number, text: string, reason: string | null }[]}
 */
export function commandsOf(markdown) {
  const block = /^(?:\*Not executed by the tests: (.+)\*\n\n)?```sh\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(block)].map(({ 1: reason, 2: text, index }) => ({
    line: markdown.slice(0, index).split('\n').length,
    text,
    reason: reason ?? null,
  }));
}

/** @returns {Promise<import('./suites.mjs').Count>} one test for each block */
export async function handbook() {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-handbook-'));
  const services = [];
  try {
    await installPrograms();
    const installation = await install(folder, services);
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const page of PAGES) {
      const cwd = mkdtempSync(join(folder, 'page-'));
      for (const { line, text, reason } of commandsOf(readFileSync(join(ROOT, page), 'utf8'))) {
        if (reason === null) {
          await execute(`${page}:${line}`, text, cwd, installation);
          count.passed += 1;
        } else {
          console.log(`   skipped: ${page}:${line}: ${reason}`);
          count.skipped += 1;
        }
      }
    }
    return count;
  } finally {
    for (const service of services.toReversed()) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function installPrograms() {
  const missing = () => Object.keys(PROGRAMS).filter(name => output(name, ['--version']) === null && !isOpenssl(name));
  if (missing().length > 0) await installDebianPackages(missing().map(name => PROGRAMS[name]));
  if (missing().length > 0) throw new UserError(`The handbook uses ${missing().join(' and ')}. Install them.`);
}

/** Old versions have no option `--version`. */
const isOpenssl = name => name === 'openssl' && output(name, ['version']) !== null;

/** Starts a provider and a server, and returns the environment of an operator. */
async function install(folder, services) {
  const [port, providerPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const provider = `http://localhost:${providerPort}`;
  services.push(await startProvider({ port: providerPort, origins: [origin], folder, onLine: () => {} }));
  const data = join(folder, 'data');
  const settings = {
    ...serverEnvironment({ port, providerPort, data }),
    WAYPOST_PUBLIC_URL: origin,
    WAYPOST_METRICS_BIND: `127.0.0.1:${metricsPort}`,
  };
  const program = process.env['WAYPOST_BINARY'] ?? builtProgram('waypost');
  const url = `${origin}/readyz`;
  services.push(await startServer(program, [], { url, name: 'Waypost', env: settings }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'waypost'));
  const backup = join(folder, 'backup');
  mkdirSync(backup);
  const token = await accessToken({ provider, origin, name: 'admin' });
  return {
    env: { ...settings, WAYPOST_TOKEN: token, PATH: `${bin}${delimiter}${process.env['PATH']}` },
    // The pages name the usual paths and ports.
    replacements: [
      ['/var/lib/waypost', data],
      ['/backup', backup],
      ['127.0.0.1:9464', `127.0.0.1:${metricsPort}`],
    ],
  };
}

async function execute(place, text, cwd, { env, replacements }) {
  const script = replacements.reduce((script, [usual, actual]) => script.replaceAll(usual, actual), text);
  const args = ['-euo', 'pipefail', '-c', script];
  const { code, output } = await run('bash', args, { cwd, env, output: 'collect' });
  if (code !== 0) throw new UserError(`${place}: these commands ended with ${code}:\n${text}\n${output}`);
}
