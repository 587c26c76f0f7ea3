// The version is that of Cargo.toml. Other files repeat it, because their tools cannot read it there.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { output, ROOT, UserError } from '../processes.mjs';

/** The crates on crates.io. */
export const CRATES = [
  'traitql',
  'traitql-axum',
  'traitql-schema',
  'traitql-codegen',
  'traitql-cli',
  'traitql-constraints',
];

/** The folders of the packages on npmjs.com. */
export const NPM_PACKAGES = ['browser', 'react'].map(name => `client/embed/packages/${name}`);

const read = file => readFileSync(join(ROOT, file), 'utf8');

const json = file => JSON.parse(read(file));

export function projectVersion() {
  return parse(read('Cargo.toml')).workspace.package.version;
}

/** Time of the last commit in seconds, for the files in archives, so that every build of a commit is identical. */
export function sourceDate() {
  return output('git', ['log', '-1', '--format=%ct'])?.trim() || '0';
}

/** Returns the places whose version is not that of Cargo.toml. */
export function versionProblems(version = projectVersion()) {
  const crates = Object.entries(parse(read('Cargo.toml')).workspace.dependencies).filter(([, crate]) => crate.path);
  const packages = NPM_PACKAGES.map(folder => `${folder}/package.json`);
  const lock = json('package-lock.json');
  const places = {
    ...Object.fromEntries(crates.map(([name, crate]) => [`${name} in Cargo.toml`, crate.version])),
    ...Object.fromEntries(['package.json', ...packages].map(file => [file, json(file).version])),
    'package-lock.json': lock.version,
    'the root package in package-lock.json': lock.packages[''].version,
    '@waypost/browser in client/embed/packages/react/package.json': json(packages[1]).dependencies['@waypost/browser'],
    ...imageVersions('server/packaging/compose.yml'),
    ...imageVersions('server/packaging/compose.demo.yml'),
  };
  return Object.entries(places)
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} has the version ${found}, but Cargo.toml has ${version}.`);
}

function imageVersions(file) {
  const images = [...read(file).matchAll(/waypost\/waypost:([\w.-]+)/g)];
  return Object.fromEntries(images.map(([, version], index) => [`image ${index + 1} in ${file}`, version]));
}

/** Returns the text below the heading of a version in the changelog. */
export function changesOf(version, changelog = read('CHANGELOG.md')) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find(text => text.startsWith(`[${version}]`));
  if (section === undefined) throw new UserError(`CHANGELOG.md has no section \`## [${version}]\`.`);
  return section.slice(section.indexOf('\n')).trim();
}
