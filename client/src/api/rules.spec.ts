import { describe, expect, it } from 'vitest';
import type { FormatName } from '../generated/rules';
import { checkArguments, checkInput, hasFormat } from './rules';

const found = (violations: readonly { path: string; problem: string }[]) =>
  violations.map(({ path, problem }) => `${path}: ${problem}`);

describe('checking an input', () => {
  it('finds every violation at once, each at its place', () => {
    const input = {
      id: 't1',
      expectedVersion: 1,
      steps: [
        { key: 'ok', title: 'Fine', target: { value: '#a' } },
        { key: 'Not a key', title: '', body: 'x'.repeat(2001), waitMs: 40_000, target: { value: '' } },
      ],
      start: { page: 'billing', delayMs: 1.5 },
    };
    expect(found(checkInput('TourSaveInput', input))).toEqual([
      'steps.1.key: must be 1 to 40 lower-case letters, digits, `-` and `_`, beginning with a letter',
      'steps.1.title: must not be empty',
      'steps.1.body: must have at most 2000 characters',
      'steps.1.target.value: must not be empty',
      'steps.1.target.value: must be a selector without control characters',
      'steps.1.waitMs: must be between 0 and 30000',
      'start.page: must be a path that begins with `/`, in which `*` stands for any characters',
      'start.delayMs: must be a whole number',
    ]);
  });

  it('asks for what is required, and for nothing that has a default or may be null', () => {
    expect(found(checkInput('TourCreateInput', {}))).toEqual([
      'workspaceId: is required',
      'title: is required',
      'slug: is required',
    ]);
    expect(checkInput('ThemeInput', { name: 'Calm', overlayColor: undefined })).toEqual([]);
    expect(checkInput('StartRuleInput', { page: null })).toEqual([]);
  });

  it('counts characters as people do, not code units', () => {
    expect(checkInput('ThemeInput', { name: '🧭'.repeat(60) })).toEqual([]);
    expect(found(checkInput('ThemeInput', { name: '🧭'.repeat(61) }))).toEqual([
      'name: must have at most 60 characters',
    ]);
  });

  it('counts the entries of lists and checks each of them', () => {
    const site = { workspaceId: 'w', name: 'Shop' };
    expect(found(checkInput('SiteCreateInput', { ...site, origins: [] }))).toEqual([
      'origins: must have at least 1 entry',
    ]);
    expect(checkInput('SiteCreateInput', { ...site, origins: ['https://a.b', 'a.b'] })).toMatchObject([
      { path: 'origins.1', rule: 'format' },
    ]);
  });

  it('refuses values that an enum does not have', () => {
    expect(checkInput('StepInput', { key: 'a', title: 'A', side: 'UNDER' })).toMatchObject([
      { path: 'side', rule: 'enum' },
    ]);
  });
});

describe('checking arguments', () => {
  it('works as for inputs', () => {
    expect(found(checkArguments('memberAdd', { workspaceId: 'w', email: 'nobody', role: 'AUTHOR' }))).toEqual([
      'email: must be an e-mail address',
    ]);
  });
});

// The same examples as in server/traitql/src/formats.rs: both sides must agree on every one of them.
const examples: Readonly<Record<FormatName, readonly [good: readonly string[], bad: readonly string[]]>> = {
  SLUG: [
    ['getting-started', 'a1', 'a-1'],
    ['', 'a', '-a', 'a-', 'a--b', '1a', 'A1', 'é1', 'a'.repeat(41)],
  ],
  KEY: [
    ['a', 'first_step', 'a-'],
    ['', '_a', 'A', 'a b', 'a'.repeat(41)],
  ],
  ORIGIN: [
    [
      'https://app.example.com',
      'https://a.b:8443',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]',
      'http://a.localhost',
    ],
    ['http://example.com', 'https://a.b/', 'https://a.b/x', 'https://A.b', 'https://a.b:443', '*', 'null', 'file:///x'],
  ],
  COLOR: [
    ['#2f5bea', '#FFFFFF'],
    ['#fff', '2f5bea', '#2f5beg', '#2f5bea0', '#é1234'],
  ],
  EMAIL: [
    ['a@b', 'ann.b+c@example.com'],
    ['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b\n'],
  ],
  LOCALE: [
    ['de', 'de-CH', 'zh-Hant-TW', 'en-u-ca-buddhist'],
    ['', 'd', 'de_CH', 'de-', '1e', 'abcdefghi'],
  ],
  PATH_PATTERN: [
    ['/', '/billing', '/tours/*'],
    ['', 'billing', '/a b', '/a\u0007'],
  ],
  SELECTOR: [
    ['#a > .b', 'é'],
    ['', '  ', 'a\u0000b', 'a\nb'],
  ],
};

describe.each(Object.entries(examples))('the form %s', (format, [good, bad]) => {
  it('takes what it should and nothing else', () => {
    const fits = (text: string) => hasFormat(format as FormatName, text);
    expect(
      good.filter(text => !fits(text)),
      'refused',
    ).toEqual([]);
    expect(bad.filter(fits), 'taken').toEqual([]);
  });
});
