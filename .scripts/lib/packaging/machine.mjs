// A Debian system that boots with systemd in a container.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePrograms } from '../debian.mjs';
import { run, runOrFail, startService, UserError } from '../processes.mjs';

const BOOT_TIMEOUT_MS = 120_000;

const CLEAN_ENVIRONMENT = ['env', '--ignore-environment', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8'];

/** Returns the release of Debian or Ubuntu that this machine runs, because a binary needs its libraries or later ones. */
function suiteOfThisMachine() {
  return /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'bookworm';
}

export class Machine {
  #container;
  #leader;

  constructor(root, container, leader) {
    this.root = root;
    this.#container = container;
    this.#leader = leader;
  }

  /** Installs a minimal Debian into a temporary folder and boots it. It shares the network with this machine. */
  static async start() {
    await requirePrograms({ mmdebstrap: 'mmdebstrap', 'systemd-nspawn': 'systemd-container' });
    const root = mkdtempSync(join(tmpdir(), 'waypost-machine-'));
    // A regular Debian has dbus, with which systemd-run waits for a command.
    const packages = '--include=systemd,systemd-sysv,dbus,ca-certificates';
    const install = ['--quiet', '--variant=minbase', packages, suiteOfThisMachine(), root];
    await runOrFail('Installing a minimal Debian', 'mmdebstrap', install, { output: 'collect' });
    // A minimal Debian has no names of its loopback interface.
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
    const unified = existsSync('/sys/fs/cgroup/cgroup.controllers') ? '1' : '0';
    const options = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--boot'];
    const env = { SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: unified };
    const container = startService('systemd-nspawn', [...options, `--directory=${root}`], { env });
    for (const deadline = Date.now() + BOOT_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
      if (container.child.exitCode !== null) break;
      const machine = new Machine(root, container, leaderOf(container.child.pid));
      if (await machine.#isRunning()) return machine;
    }
    await container.stop();
    rmSync(root, { recursive: true, force: true });
    throw new UserError(`The Debian system does not start:\n${container.printed()}`);
  }

  async #isRunning() {
    if (this.#leader === null) return false;
    const { output: state } = await this.run('systemctl is-system-running');
    return /^(?:running|degraded)$/m.test(state);
  }

  /** Runs a command of the shell as root of the system. */
  run(command) {
    const enter = ['--target', this.#leader, '--all', ...CLEAN_ENVIRONMENT, '/bin/sh', '-c', `cd / && ${command}`];
    return run('nsenter', enter, { output: 'collect' });
  }

  /** Runs a command and returns its output. Throws a `UserError` if it fails. */
  async must(command) {
    const { code, output: text } = await this.run(command);
    if (code !== 0) throw new UserError(`\`${command}\` exited with ${code}:\n${text}`);
    return text;
  }

  path(file) {
    return join(this.root, file);
  }

  async stop() {
    // The end of the first process ends all others.
    process.kill(Number(this.#leader), 'SIGKILL');
    await this.#container.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The first process of the container, which is the only child of systemd-nspawn. */
function leaderOf(process) {
  try {
    return readFileSync(`/proc/${process}/task/${process}/children`, 'utf8').trim().split(' ')[0] || null;
  } catch {
    return null;
  }
}
