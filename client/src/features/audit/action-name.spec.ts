import { describe, expect, it } from 'vitest';
import { audit } from '../../shared/i18n/de/audit';
import { actionName, fieldName, valueName } from './action-name';

describe('the name of an action', () => {
  it('is a verb, or the action itself if it is unknown', () => {
    expect(actionName('tour.release')).toBe('released the tour');
    expect(actionName('site.key.rotate')).toBe('replaced the site key of the site');
    expect(actionName('tour.teleport')).toBe('tour.teleport');
  });
});

describe('the field of a change', () => {
  it('has a name in each language', () => {
    expect(fieldName('rolloutPercent')).toBe('Rollout');
    expect(audit.fields.rolloutPercent).toBe('Rollout');
    expect(audit.fields['active runs']).toBe('Aktive Durchläufe');
  });

  it('is unchanged if it is unknown', () => {
    expect(fieldName('somethingNew')).toBe('somethingNew');
    expect(fieldName('constructor')).toBe('constructor');
  });
});

describe('the value of a change', () => {
  it('has a name', () => {
    expect(valueName('role', 'ADMIN')).toBe('administrator');
    expect(valueName('goal', 'none')).toBe('none');
    expect(audit.none.goal).toBe('keines');
  });

  it('is unchanged if it is user input', () => {
    expect(valueName('name', 'none')).toBe('none');
    expect(valueName('name', 'ADMIN')).toBe('ADMIN');
    expect(valueName('role', 'constructor')).toBe('constructor');
  });

  it('is a dash if it is null', () => {
    expect(valueName('note', null)).toBe('–');
  });
});
