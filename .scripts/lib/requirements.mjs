// What a machine runOrFail have before anything can be built. Each missing thing is named in one sentence.

import { platform } from 'node:os';
import { output, UserError } from './processes.mjs';

const RUST = [1, 95];

/** @param {string} command what to run again */
export function requireRust(command) {
  const again = `then run ${command} again.`;
  for (const tool of ['cargo', 'rustc']) {
    const version = output(tool, ['--version']);
    if (version === null) {
      throw new UserError(
        `Waypost needs Rust ${RUST.join('.')} or newer, and ${tool} is missing. Install it from https://rustup.rs, ${again}`,
      );
    }
    const [, major, minor] = version.match(/(\d+)\.(\d+)/) ?? [];
    if (Number(major) < RUST[0] || (Number(major) === RUST[0] && Number(minor) < RUST[1])) {
      throw new UserError(
        `Waypost needs Rust ${RUST.join('.')} or newer, and this is ${version.trim()}. Update it with: rustup update stable, ${again}`,
      );
    }
  }
  if (platform() !== 'win32' && output('cc', ['--version']) === null) {
    const advice = platform() === 'darwin' ? 'xcode-select --install' : 'apt-get install build-essential';
    throw new UserError(
      `Waypost needs a C compiler (for SQLite and TLS), and cc is missing. Install it, for instance with: ${advice}, ${again}`,
    );
  }
}
