import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './processes.mjs';

/** Used by build scripts and by releases only. */
const NOT_IN_TESTS = new Set(['cynic-codegen', 'tikv-jemallocator']);

const NAME = 'shared-dependencies';

/**
 * Lets a generated project use the third-party crates that the repository has compiled: adds a dependency on a crate that
 * depends on all of them, so that cargo selects the same features, and copies their versions and profiles. Otherwise, one
 * feature of tokio that only the repository needs would be enough to compile a hundred crates again. The project can still
 * use only the crates of its own manifest.
 * @param {string} project the folder of its manifest; the crate is written next to it
 */
export async function shareDependencies(project) {
  // After the packages are installed.
  const { parse, stringify } = await import('smol-toml');
  const path = join(project, 'Cargo.toml');
  const manifest = parse(readFileSync(path, 'utf8'));
  const { workspace, profile } = parse(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'));
  const crate = join(dirname(project), NAME);
  mkdirSync(join(crate, 'src'), { recursive: true });
  writeFileSync(join(crate, 'src/lib.rs'), '');
  const thirdParty = Object.entries(workspace.dependencies).filter(
    ([name, { path }]) => path === undefined && !NOT_IN_TESTS.has(name),
  );
  // The crate for tests enables further features.
  const testkit = { path: join(ROOT, 'server/waypost/testkit') };
  const dependencies = { ...Object.fromEntries(thirdParty), 'waypost-testkit': testkit };
  const { edition } = workspace.package;
  writeFileSync(
    join(crate, 'Cargo.toml'),
    stringify({ package: { name: NAME, version: '0.0.0', edition }, dependencies }),
  );
  manifest.dependencies[NAME] = { path: crate };
  const isOurs = ([name]) => name.startsWith('traitql');
  const packages = Object.entries(profile.dev.package).filter(entry => !isOurs(entry));
  manifest.profile = { dev: { ...profile.dev, package: Object.fromEntries(packages) } };
  writeFileSync(path, stringify(manifest));
  copyFileSync(join(ROOT, 'Cargo.lock'), join(project, 'Cargo.lock'));
}
