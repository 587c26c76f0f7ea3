import { describe, expect, it } from 'vitest';
import { hasFormat } from '../../generated/traitql';
import { slugFor, suggestSlug } from './slug';

describe('a suggested slug', () => {
  it('is readable', () => {
    expect(suggestSlug('Getting started!')).toBe('getting-started');
    expect(suggestSlug('Über Straßen & Wege')).toBe('uber-strassen-wege');
    expect(suggestSlug('  3 things to know ')).toBe('things-to-know');
    expect(suggestSlug('42')).toBe('');
  });

  it('matches the format of the schema', () => {
    for (const name of ['A very long title that goes on and on and on - and on', 'Ärger', 'x-y--z', 'Tour №5']) {
      expect(hasFormat('SLUG', suggestSlug(name)), name).toBe(true);
    }
  });
});

it('follows the name until the user enters another slug, and again after they remove it', () => {
  expect(slugFor('Acme Inc', { name: 'Acme', slug: 'acme' })).toBe('acme-inc');
  expect(slugFor('Acme Inc', { name: 'Acme', slug: 'shop' })).toBe('shop');
  expect(slugFor('Acme Inc', { name: 'Acme', slug: '' })).toBe('acme-inc');
});
