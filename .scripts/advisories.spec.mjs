import { describe, expect, it } from 'vitest';
import { advisories, deprecations } from './lib/advisories.mjs';

const URL = 'https://github.com/advisories/GHSA-0000-0000-0000';
const report = {
  vulnerabilities: {
    left: { via: [{ url: URL, title: 'Left reads too far', severity: 'high' }] },
    right: { via: ['left'] },
  },
};

describe('the check of advisories', () => {
  it('reports an advisory that is neither fixed nor accepted', () => {
    expect(advisories(report, {})).toEqual([
      `left: Left reads too far (high, ${URL}). Update it, or accept it with a reason.`,
    ]);
    expect(advisories(report, { [URL]: 'Only used in tests.' })).toEqual([]);
  });

  it('reports an accepted advisory that no package has', () => {
    expect(advisories({ vulnerabilities: {} }, { [URL]: 'Only used in tests.' })).toEqual([
      `${URL} is accepted, but no package has it any more. Remove it.`,
    ]);
  });

  it('reports deprecated packages', () => {
    const packages = {
      '': { version: '1.0.0' },
      'node_modules/a/node_modules/left': { version: '0.3.0', deprecated: 'Has a leak.' },
    };
    expect(deprecations(packages)).toEqual(['left 0.3.0 is deprecated: Has a leak. Replace or update it.']);
  });
});
