// Lets the projects that tests generate reuse the third-party crates that the repository has compiled.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './processes.mjs';

/** Used by build scripts and by releases only. */
const NOT_IN_TESTS = new Set(['cynic-codegen', 'tikv-jemallocator']);

const NAME = 'shared-dependencies';

/**
 * Copies the profiles, the environment and the versions of dependencies. With them alone, a project reuses procedural
 * macros and build scripts.
 * @param {string} project the folder of its manifest
 */
export async function shareProfiles(project) {
  const { parse, stringify, repository } = await manifests();
  const isOurs = ([name]) => name.startsWith('traitql');
  const { dev } = repository.profile;
  const packages = Object.entries(dev.package).filter(entry => !isOurs(entry));
  const manifestPath = join(project, 'Cargo.toml');
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  manifest.profile = { dev: { ...dev, package: Object.fromEntries(packages) } };
  writeFileSync(manifestPath, stringify(manifest));
  // Not the aliases: the project has its own command line.
  const { env } = parse(readFileSync(join(ROOT, '.cargo/config.toml'), 'utf8'));
  mkdirSync(join(project, '.cargo'), { recursive: true });
  writeFileSync(join(project, '.cargo/config.toml'), stringify({ env }));
  copyFileSync(join(ROOT, 'Cargo.lock'), join(project, 'Cargo.lock'));
}

/**
 * Shares the profiles and adds a dependency on a crate that depends on all third-party crates, so that cargo selects the
 * same features. Otherwise, one feature of tokio that only the repository needs would be enough to compile a hundred
 * crates again. The code of the project can still use only the crates that its manifest declared before.
 * @param {string} project the folder of its manifest; the crate is written next to it
 */
export async function shareDependencies(project) {
  await shareProfiles(project);
  const { parse, stringify, repository } = await manifests();
  const { workspace } = repository;
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
  const manifestPath = join(project, 'Cargo.toml');
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  manifest.dependencies[NAME] = { path: crate };
  writeFileSync(manifestPath, stringify(manifest));
}

async function manifests() {
  // After the packages are installed.
  const { parse, stringify } = await import('smol-toml');
  return { parse, stringify, repository: parse(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')) };
}
