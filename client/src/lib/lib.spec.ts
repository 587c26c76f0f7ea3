import { describe, expect, it } from 'vitest';
import { actionName } from '../audit/action-name';
import { hasFormat } from '../generated/traitql';
import { textOn } from '../theme/look';
import { formatDuration, formatSeconds } from './format';
import { showLanguage } from './language';
import { suggestSlug } from './slug';

describe('a suggested address', () => {
  it('is what a person would have typed', () => {
    expect(suggestSlug('Getting started!')).toBe('getting-started');
    expect(suggestSlug('Über Straßen & Wege')).toBe('uber-strassen-wege');
    expect(suggestSlug('  3 things to know ')).toBe('things-to-know');
    expect(suggestSlug('42')).toBe('');
  });

  it('fits the form of the schema whenever there is one', () => {
    for (const name of ['A very long title that goes on and on and on - and on', 'Ärger', 'x-y--z', 'Tour №5']) {
      expect(hasFormat('SLUG', suggestSlug(name)), name).toBe(true);
    }
  });
});

describe('words', () => {
  it('count times', () => {
    expect([900, 59_600, 80_000, 120_000, 3_700_000].map(formatDuration)).toEqual([
      '1 s',
      '1 min',
      '1 min 20 s',
      '2 min',
      '1 h 1 min',
    ]);
  });

  it('keep a part of a second that somebody has set', async () => {
    expect([500, 3000, 60_000].map(formatSeconds)).toEqual(['0.5 s', '3 s', '1 min']);
    await showLanguage('de');
    expect(formatSeconds(2500)).toBe('2,5 s');
    await showLanguage('en');
  });

  it('say what an audit entry is about, also of an action that is new', () => {
    expect(actionName('tour.release')).toBe('released the tour');
    expect(actionName('site.key.rotate')).toBe('replaced the site key of the site');
    expect(actionName('tour.teleport')).toBe('tour.teleport');
  });
});

describe('text on a colour', () => {
  it('is black or white, whichever can be read', () => {
    expect([textOn('#ffffff'), textOn('#2f5bea'), textOn('#f2b544'), textOn('#000000')]).toEqual([
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ]);
  });
});
