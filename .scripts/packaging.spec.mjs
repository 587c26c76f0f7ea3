/** Versions, contents, settings and bills of materials of releases. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cratesIn, packagesIn } from './lib/packaging/materials.mjs';
import { changesOf, CRATES, NPM_PACKAGES, projectVersion, versionProblems } from './lib/packaging/versions.mjs';
import { output, ROOT } from './lib/processes.mjs';

const read = file => readFileSync(join(ROOT, file), 'utf8');

const tracked = (...patterns) => (output('git', ['ls-files', ...patterns]) ?? '').trim().split('\n');

describe('versions', () => {
  it('agree in all files', () => {
    expect(versionProblems()).toEqual([]);
  });

  it('that differ are reported with their place', () => {
    const problems = versionProblems('9.9.9');
    expect(problems).toContain(`package.json has the version ${projectVersion()}, but Cargo.toml has 9.9.9.`);
  });
});

describe('licenses', () => {
  const LICENSES = ['LICENSE-APACHE', 'LICENSE-MIT'];

  it.each(CRATES)('are in the crate %s', name => {
    const files = output('cargo', ['package', '--list', '--offline', '--allow-dirty', '--package', name]);
    expect(files?.split('\n')).toEqual(expect.arrayContaining(LICENSES));
  });

  it.each(NPM_PACKAGES)('are in the npm package of %s', folder => {
    const packed = output('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', `./${folder}`]);
    const [{ files }] = JSON.parse(packed ?? '[]');
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(LICENSES));
  });

  it.each(LICENSES)('%s has the same text everywhere', name => {
    expect(new Set(tracked(name, `**/${name}`).map(read)).size).toBe(1);
  });
});

describe('settings', () => {
  it('in the files of packaging are known to Waypost', () => {
    const names = text => new Set(text.match(/\bWAYPOST_[A-Z0-9_]+/g));
    const help = read('server/waypost/waypost/tests/it/snapshots/it__settings__help_lists_every_setting.snap');
    const ofProxies =
      tracked('server/packaging/proxies')
        .map(read)
        .join('\n')
        .match(/[{"]\$\{?\w+/g)
        ?.join('\n') ?? '';
    const known = new Set([...names(help), ...names(ofProxies)]);
    const files = tracked('server/packaging').filter(file => !file.endsWith('.md'));
    const unknown = files.flatMap(file =>
      [...names(read(file))].filter(name => !known.has(name)).map(name => [file, name]),
    );
    expect(unknown).toEqual([]);
  });
});

const CHANGELOG = `# Changelog

## [1.1.0]

- Second

### Fixed

- Bug

## [1.0.0]

- First
`;

describe('the changes of a version', () => {
  it('are its section of the changelog', () => {
    expect(changesOf('1.1.0', CHANGELOG)).toBe('- Second\n\n### Fixed\n\n- Bug');
    expect(changesOf('1.0.0', CHANGELOG)).toBe('- First');
  });

  it('must exist', () => {
    expect(() => changesOf('1.0', CHANGELOG)).toThrow('CHANGELOG.md has no section `## [1.0]`.');
  });
});

describe('the bill of materials', () => {
  it('has each crate once, without the program', () => {
    const tree = `waypost v0.1.0 (/source/server/waypost/waypost)|AGPL-3.0-or-later
traitql v0.1.0 (/source/server/traitql/runtime)|MIT OR Apache-2.0
serde_derive v1.0.0 (proc-macro)|MIT/Apache-2.0
serde_derive v1.0.0 (proc-macro)|MIT/Apache-2.0
`;
    expect(cratesIn(tree)).toEqual([
      { name: 'traitql', version: '0.1.0', license: 'MIT OR Apache-2.0', purl: 'pkg:cargo/traitql@0.1.0' },
      { name: 'serde_derive', version: '1.0.0', license: 'MIT OR Apache-2.0', purl: 'pkg:cargo/serde_derive@1.0.0' },
    ]);
  });

  it('has the packages of the notices', () => {
    const notices =
      '@apollo/client 4.3.8 (MIT)\nrxjs 7.8.2 (Apache-2.0)\n\nThe MIT License (MIT)\n\nCopyright (c) 2022\n';
    expect(packagesIn(notices).map(({ purl }) => purl)).toEqual([
      'pkg:npm/%40apollo/client@4.3.8',
      'pkg:npm/rxjs@7.8.2',
    ]);
  });
});
