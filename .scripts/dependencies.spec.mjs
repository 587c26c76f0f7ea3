import { describe, expect, it } from 'vitest';
import { unknownRules, violations, wildcards } from './lib/dependencies.mjs';

const source = 'registry+https://github.com/rust-lang/crates.io-index';
const crate = { name: 'left', version: '1.0.0', license: 'MIT', source };
const rules = { licenses: { allow: ['MIT', 'Apache-2.0 WITH LLVM-exception'] }, bans: { deny: [{ name: 'tokio' }] } };

describe('the check of dependencies', () => {
  it('accepts allowed licenses, alternatives and exceptions', () => {
    const licenses = ['MIT', 'MIT/Apache-2.0', 'GPL-3.0-only OR MIT', 'Apache-2.0 WITH LLVM-exception AND MIT'];
    expect(
      violations(
        licenses.map(license => ({ ...crate, license })),
        rules,
      ),
    ).toEqual([]);
  });

  it('reports other licenses, missing licenses and foreign sources', () => {
    const packages = [
      { ...crate, license: 'GPL-3.0-only' },
      { ...crate, license: 'MIT AND GPL-3.0-only' },
      { ...crate, license: null },
      { ...crate, source: 'git+https://example.com/left' },
    ];
    expect(violations(packages, rules)).toEqual([
      'left 1.0.0 has the license GPL-3.0-only. Replace it, or add the license to deny.toml.',
      'left 1.0.0 has the license MIT AND GPL-3.0-only. Replace it, or add the license to deny.toml.',
      'left 1.0.0 states no license.',
      'left 1.0.0 comes from git+https://example.com/left. Only crates.io is allowed.',
    ]);
  });

  it('reports a second version of a crate that may have one', () => {
    const packages = ['0.3.0', '1.0.0'].map(version => ({ ...crate, name: 'tokio', version }));
    expect(violations(packages, rules)).toEqual([
      'tokio exists in the versions 0.3.0 and 1.0.0. Update what depends on the older one.',
    ]);
    expect(violations([...packages.slice(1), { ...crate, version: '2.0.0' }, crate], rules)).toEqual([]);
  });

  it('reports a dependency without a version', () => {
    const dependencies = [
      { name: 'left', req: '*' },
      { name: 'own', req: '*', path: '/own' },
      { name: 'right', req: '^1' },
    ];
    expect(wildcards([{ name: 'waypost', dependencies }])).toEqual([
      'waypost depends on any version of left. State a version.',
    ]);
  });

  it('reports rules of deny.toml that it does not check', () => {
    const bans = { deny: [{ name: 'tokio', 'deny-multiple-versions': true }, { name: 'openssl' }], skip: [] };
    expect(unknownRules({ bans }).map(problem => problem.split(',')[0])).toEqual([
      'deny.toml has the rule bans.skip',
      'deny.toml has the rule bans.deny: openssl',
    ]);
  });
});
