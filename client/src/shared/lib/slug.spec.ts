import { describe, expect, it } from 'vitest';
import { hasFormat } from '../../generated/traitql';
import { suggestSlug } from './slug';

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
