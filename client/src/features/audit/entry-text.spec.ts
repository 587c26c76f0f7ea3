import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { audit as german } from '../../shared/i18n/de/audit';
import { t } from '../../shared/i18n/en/audit';
import { details, fieldName, sentence, valueName } from './entry-text';

const change = (field: string, before: string | null, after: string | null) => ({ field, before, after });
const entry = (action: string, subject: string, ...changes: ReturnType<typeof change>[]) => ({
  action,
  subject,
  changes,
});

function actions(): string[] {
  const folder = join(import.meta.dirname, '../../../../schema');
  const files = readdirSync(folder).filter(file => file.endsWith('.graphql') && file !== 'traitql.graphql');
  const declared = files.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/@audited\(action: "([a-z.]+)"/g)].map(
      ([, action]) => action ?? '',
    ),
  );
  return [...declared, 'member.claim', 'member.first'].toSorted();
}

describe('the sentence about an entry', () => {
  it('exists for each action of the schema, with a name in the list of actions', () => {
    expect(Object.keys(t.sentences).toSorted()).toEqual(actions());
    expect(Object.keys(t.actions).toSorted()).toEqual(actions());
    expect(Object.keys(german.sentences).toSorted()).toEqual(actions());
  });

  it('mentions the values of the change', () => {
    const release = entry('tour.release', 'First order', change('sites', null, 'Shop'), change('revision', null, '3'));
    expect(sentence(release)).toBe('released revision 3 of “First order” to Shop');
    const [reviewed, reviewer] = [change('revision', null, '3'), change('reviewer', null, 'Pia Publisher')];
    expect(sentence(entry('revision.submit', 'First order', reviewed))).toBe(
      'requested a review of revision 3 of “First order”',
    );
    expect(sentence(entry('revision.submit', 'First order', reviewed, reviewer))).toBe(
      'requested a review of revision 3 of “First order” from Pia Publisher',
    );
    expect(sentence(entry('release.pause', 'First order', change('site', null, 'Shop')))).toBe(
      'paused “First order” on Shop',
    );
    expect(
      sentence(entry('visitor.tester', '01a20baf-0000-7000-8000-000000a20baf', change('tester', 'false', 'true'))),
    ).toBe('made the visitor …a20baf their test user');
  });

  it('names the kind of an identity key, and the new mode of signed IDs', () => {
    const secret = entry('identity.create', 'Shop', change('algorithm', null, 'HS256'));
    expect(sentence(secret)).toBe('added a secret (HS256) to the site “Shop” to verify signed IDs');
    const revoked = entry('identity.revoke', 'Shop', change('algorithm', 'EDDSA', null));
    expect(sentence(revoked)).toBe('revoked a public key (EdDSA) that verified signed IDs of the site “Shop”');
    const mode = change('identityMode', 'OFF', 'REQUIRED');
    const required = entry('site.update', 'Shop', mode);
    expect(sentence(required)).toBe('set signed IDs of the site “Shop” to “required”');
    expect([secret, revoked, required].flatMap(details)).toEqual([]);

    const several = entry('site.update', 'Shop', mode, change('allowHttp', 'false', 'true'));
    expect(sentence(several)).toBe('changed the site “Shop”');
    expect(details(several).map(({ field, after }) => `${fieldName(field)}: ${valueName(field, after)}`)).toEqual([
      'Signed IDs: required',
      'http allowed: yes',
    ]);
  });

  it('reports that the identity provider granted or revoked a role', () => {
    expect(sentence(entry('member.claim', 'Ada Admin', change('role', null, 'ADMIN')))).toBe(
      'got the administrator role from the identity provider',
    );
    expect(sentence(entry('member.claim', 'Ada Admin', change('role', 'ADMIN', null)))).toBe(
      'lost the administrator role, because the identity provider no longer grants it',
    );
  });

  it('is the action itself if the action is unknown', () => {
    expect(sentence(entry('tour.teleport', 'First order'))).toBe('tour.teleport “First order”');
    expect(sentence(entry('constructor', 'First order'))).toBe('constructor “First order”');
  });
});

describe('the details of an entry', () => {
  it('are the changes that the sentence does not mention', () => {
    const pause = entry(
      'release.pause',
      'First order',
      change('site', null, 'Shop'),
      change('state', 'LIVE', 'PAUSED'),
      change('note', null, 'Stock is empty.'),
    );
    expect(details(pause).map(({ field }) => field)).toEqual(['note']);
  });

  it('have names and values in each language', () => {
    expect(fieldName('rolloutPercent')).toBe('Rollout');
    expect(german.fields['activeRuns']).toBe('Aktive Durchläufe');
    expect(fieldName('somethingNew')).toBe('somethingNew');
    expect(fieldName('constructor')).toBe('constructor');
    expect(valueName('role', 'ADMIN')).toBe('administrator');
    expect(valueName('rolloutPercent', '50')).toBe('50%');
    expect(valueName('holdoutPercent', 'new')).toBe('new');
    expect(valueName('goal', 'none')).toBe('none');
    expect(german.values['goal']).toEqual({ none: 'keines' });
    expect(valueName('startsAt', '2026-11-05T09:30:00.000Z')).toContain('2026');
    expect(valueName('note', null)).toBe('–');
    const pro = { trait: { key: 'plan', is: 'IS', value: 'pro' } };
    expect(valueName('when', JSON.stringify({ all: [pro, { verified: true }] }))).toBe(
      'plan is pro and the ID is signed',
    );
    expect(valueName('when', '{"future":1}')).toBe('{"future":1}');
  });

  it('keep the texts of users', () => {
    expect(valueName('name', 'none')).toBe('none');
    expect(valueName('name', 'ADMIN')).toBe('ADMIN');
    expect(valueName('role', 'constructor')).toBe('constructor');
    expect(valueName('goal', 'constructor')).toBe('constructor');
  });
});
