import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { ROOT } from './processes.mjs';

/** Used by build scripts and by releases only. */
const NOT_IN_TESTS = new Set(['cynic-codegen', 'tikv-jemallocator']);

/**
 * Lets a generated project use the third-party crates that the repository has compiled: adds all of them to its
 * dependencies, so that cargo selects the same features, and copies their versions and profiles. Otherwise, one feature of
 * tokio that only the repository needs would be enough to compile a hundred crates again.
 * @param {string} project the folder of its manifest
 */
export function shareDependencies(project) {
  const path = join(project, 'Cargo.toml');
  const manifest = parse(readFileSync(path, 'utf8'));
  const { workspace, profile } = parse(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'));
  for (const [name, dependency] of Object.entries(workspace.dependencies))
    if (dependency.path === undefined && !NOT_IN_TESTS.has(name)) manifest.dependencies[name] = dependency;
  // It enables further features.
  manifest.dependencies['waypost-testkit'] = { path: join(ROOT, 'server/waypost/testkit') };
  const isOurs = ([name]) => name.startsWith('traitql');
  const packages = Object.entries(profile.dev.package).filter(entry => !isOurs(entry));
  manifest.profile = { dev: { ...profile.dev, package: Object.fromEntries(packages) } };
  writeFileSync(path, stringify(manifest));
  copyFileSync(join(ROOT, 'Cargo.lock'), join(project, 'Cargo.lock'));
}
