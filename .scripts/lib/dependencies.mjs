// Checks Cargo.lock against deny.toml, like `cargo deny check`, which compiles for minutes.

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
  const packages = JSON.parse(output)
    .packages.filter(({ source }) => source !== null)
    .map(each => ({ ...each, license: each.license ?? licenseOfFile(each) }));
  return violations(packages, parse(readFileSync(join(ROOT, 'deny.toml'), 'utf8')));
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
