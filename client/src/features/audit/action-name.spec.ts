import { describe, expect, it } from 'vitest';
import { audit } from '../../shared/i18n/de/audit';
import { actionName, fieldName, valueName } from './action-name';

describe('the name of an action', () => {
  it('says what an audit entry is about, also of an action that is new', () => {
    expect(actionName('tour.release')).toBe('released the tour');
    expect(actionName('site.key.rotate')).toBe('replaced the site key of the site');
    expect(actionName('tour.teleport')).toBe('tour.teleport');
  });
});

describe('the field of a change', () => {
  it('is called as people call it, in each language', () => {
    expect(fieldName('rolloutPercent')).toBe('Rollout');
    expect(audit.fields.rolloutPercent).toBe('Rollout');
    expect(audit.fields['active runs']).toBe('Aktive Durchläufe');
  });

  it('keeps a name that the catalogue does not know', () => {
    expect(fieldName('somethingNew')).toBe('somethingNew');
    expect(fieldName('constructor')).toBe('constructor');
  });
});

describe('the value of a change', () => {
  it('is called as people call it', () => {
    expect(valueName('role', 'ADMIN')).toBe('administrator');
    expect(valueName('goal', 'none')).toBe('none');
    expect(audit.none.goal).toBe('keines');
  });

  it('stays where it is what somebody wrote', () => {
    expect(valueName('name', 'none')).toBe('none');
    expect(valueName('name', 'ADMIN')).toBe('ADMIN');
    expect(valueName('role', 'constructor')).toBe('constructor');
  });

  it('is a dash where there is none', () => {
    expect(valueName('note', null)).toBe('–');
  });
});
