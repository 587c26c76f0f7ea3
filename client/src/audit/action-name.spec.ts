import { describe, expect, it } from 'vitest';
import { audit } from '../texts/de/audit';
import { fieldName } from './action-name';

describe('the field of a change', () => {
  it('is called as people call it, in each language', () => {
    expect(fieldName('rolloutPercent')).toBe('Rollout');
    expect(audit.fields.rolloutPercent).toBe('Anteil');
    expect(audit.fields['active runs']).toBe('Wer mittendrin ist');
  });

  it('keeps a name that the catalogue does not know', () => {
    expect(fieldName('somethingNew')).toBe('somethingNew');
    expect(fieldName('constructor')).toBe('constructor');
  });
});
