import { platform } from 'node:os';
import { installDebianPackages } from './debian.mjs';
import { output, UserError } from './processes.mjs';

const RUST = [1, 95];

/**
 * Throws a `UserError` that explains the installation if Rust is missing or too old, or if no C compiler is available.
 * As root on Debian, installs the C compiler.
 * @param {string} command the command to run again afterwards
 */
export async function requireCompilers(command) {
  const again = `then run ${command} again.`;
  for (const tool of ['cargo', 'rustc']) {
    const version = output(tool, ['--version']);
    if (version === null) {
      throw new UserError(
        `Waypost requires Rust ${RUST.join('.')} or newer, but ${tool} is missing. Install Rust from https://rustup.rs, ${again}`,
      );
    }
    const [, major, minor] = version.match(/(\d+)\.(\d+)/) ?? [];
    if (Number(major) < RUST[0] || (Number(major) === RUST[0] && Number(minor) < RUST[1])) {
      throw new UserError(
        `Waypost requires Rust ${RUST.join('.')} or newer, but this is ${version.trim()}. Run "rustup update stable", ${again}`,
      );
    }
  }
  const hasCompiler = () => platform() === 'win32' || output('cc', ['--version']) !== null;
  if (!hasCompiler()) await installDebianPackages(['build-essential']);
  if (!hasCompiler()) {
    const advice = platform() === 'darwin' ? 'xcode-select --install' : 'apt-get install build-essential';
    throw new UserError(
      `Waypost requires a C compiler (for SQLite and TLS), but cc is missing. Install it, for example with "${advice}", ${again}`,
    );
  }
}
