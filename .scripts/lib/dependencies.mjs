// Checks Cargo.lock against deny.toml, like `cargo deny check`, which compiles for minutes. Advisories are left to it.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import satisfies from 'spdx-satisfies';
import { ROOT, run, UserError } from './processes.mjs';

const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';

export async function dependencyProblems() {
  const args = ['metadata', '--format-version', '1', '--locked', '--all-features'];
  const { code, output } = await run('cargo', args, { output: 'stdout' });
  if (code !== 0) throw new UserError('cargo metadata failed: see above.');
  const all = JSON.parse(output).packages;
  const packages = all
    .filter(({ source }) => source !== null)
    .map(each => ({ ...each, license: each.license ?? licenseOfFile(each) }));
  const rules = parse(readFileSync(join(ROOT, 'deny.toml'), 'utf8'));
  const own = all.filter(({ source }) => source === null);
  return [...unknownRules(rules), ...wildcards(own), ...violations(packages, rules)];
}

/** The rules that this file, or `cargo deny` alone, checks. A rule that neither checks would be ignored silently. */
const RULES = {
  graph: ['all-features'],
  advisories: ['yanked'],
  licenses: ['confidence-threshold', 'allow', 'private'],
  bans: ['wildcards', 'allow-wildcard-paths', 'multiple-versions', 'deny'],
  sources: ['unknown-registry', 'unknown-git'],
};

/**
 * Returns the rules of deny.toml that are not checked here.
 * @param {Record<string, Record<string, any>>} rules
 * @returns {string[]}
 */
export function unknownRules(rules) {
  const unknown = Object.entries(rules).flatMap(([section, content]) =>
    Object.keys(content)
      .filter(key => !RULES[section]?.includes(key))
      .map(key => `${section}.${key}`),
  );
  const bans = (rules.bans?.deny ?? []).filter(ban => Object.keys(ban).join() !== 'name,deny-multiple-versions');
  return [...unknown, ...bans.map(({ name }) => `bans.deny: ${name}`)].map(
    rule => `deny.toml has the rule ${rule}, which .scripts/lib/dependencies.mjs does not check. Add it there.`,
  );
}

/**
 * Returns the dependencies without a version, except for crates of the workspace.
 * @param {readonly { name: string, dependencies: { name: string, req: string, path?: string }[] }[]} own
 * @returns {string[]}
 */
export function wildcards(own) {
  return own.flatMap(({ name, dependencies }) =>
    dependencies
      .filter(({ req, path }) => req === '*' && path === undefined)
      .map(dependency => `${name} depends on any version of ${dependency.name}. State a version.`),
  );
}

function licenseOfFile({ manifest_path, license_file }) {
  if (license_file === null) return null;
  const text = readFileSync(join(dirname(manifest_path), license_file), 'utf8');
  return text.startsWith('MIT License') ? 'MIT' : null;
}

/**
 * @param {readonly { name: string, version: string, license: string | null, source: string }[]} packages
 * @param {{ licenses: { allow: string[] }, bans: { deny: { name: string }[] } }} rules the content of deny.toml
 * @returns {string[]}
 */
export function violations(packages, { licenses, bans }) {
  const problems = packages.flatMap(({ name, version, license, source }) => {
    const crate = `${name} ${version}`;
    if (source !== CRATES_IO) return [`${crate} comes from ${source}. Only crates.io is allowed.`];
    if (license === null) return [`${crate} states no license.`];
    // Old crates separate alternatives with a slash.
    const isAllowed = satisfies(license.replaceAll('/', ' OR '), licenses.allow);
    return isAllowed ? [] : [`${crate} has the license ${license}. Replace it, or add the license to deny.toml.`];
  });
  for (const { name } of bans.deny) {
    const versions = packages.filter(each => each.name === name).map(({ version }) => version);
    if (versions.length > 1)
      problems.push(`${name} exists in the versions ${versions.join(' and ')}. Update what depends on the older one.`);
  }
  return problems;
}
