import { describe, expect, it } from 'vitest';
import { MutationWorkspaceRename } from '../../generated/fields';
import {
  SiteCreateInputRules,
  StartRuleInputRules,
  StepInputRules,
  ThemeInputRules,
  TourCreateInputRules,
  TourSaveInputRules,
} from '../../generated/rules';
import { checkArguments, checkInput } from '../../generated/traitql';

const found = (violations: readonly { path: string; problem: string }[]) =>
  violations.map(({ path, problem }) => `${path}: ${problem}`);

describe('checking an input', () => {
  it('returns all violations with their paths', () => {
    const input = {
      id: 't1',
      expectedVersion: 1,
      steps: [
        { key: 'ok', title: 'Fine', target: { value: '#a' } },
        { key: 'Not a key', title: '', body: 'x'.repeat(2001), waitMs: 40_000, target: { value: '' } },
      ],
      start: { page: 'billing', delayMs: 1.5 },
    };
    expect(found(checkInput(TourSaveInputRules, input))).toEqual([
      'steps.1.key: must be 1 to 40 lowercase letters, digits, `-` and `_`, starting with a letter',
      'steps.1.title: must not be empty',
      'steps.1.body: must have at most 2000 characters',
      'steps.1.target.value: must not be empty',
      'steps.1.target.value: must be a selector without control characters',
      'steps.1.waitMs: must be between 0 and 30000',
      'start.page: must be a path that starts with `/`; `*` matches any characters',
      'start.delayMs: must be an integer',
    ]);
  });

  it('requires only fields without a default that are not nullable', () => {
    expect(found(checkInput(TourCreateInputRules, {}))).toEqual([
      'workspaceId: is required',
      'title: is required',
      'slug: is required',
    ]);
    expect(checkInput(ThemeInputRules, { name: 'Calm', overlayColor: undefined })).toEqual([]);
    expect(checkInput(StartRuleInputRules, { page: null })).toEqual([]);
  });

  it('counts code points, not code units', () => {
    expect(checkInput(ThemeInputRules, { name: '🧭'.repeat(60) })).toEqual([]);
    expect(found(checkInput(ThemeInputRules, { name: '🧭'.repeat(61) }))).toEqual([
      'name: must have at most 60 characters',
    ]);
  });

  it('checks the length of lists and each entry', () => {
    const site = { workspaceId: 'w', name: 'Shop' };
    expect(found(checkInput(SiteCreateInputRules, { ...site, origins: [] }))).toEqual([
      'origins: must have at least 1 entry',
    ]);
    expect(checkInput(SiteCreateInputRules, { ...site, origins: ['https://a.b', 'a.b'] })).toMatchObject([
      { path: 'origins.1', rule: 'format' },
    ]);
  });

  it('rejects unknown enum values', () => {
    expect(checkInput(StepInputRules, { key: 'a', title: 'A', side: 'UNDER' })).toMatchObject([
      { path: 'side', rule: 'enum' },
    ]);
  });
});

describe('values that cannot be sent', () => {
  it('include lone surrogates', () => {
    expect(found(checkInput(ThemeInputRules, { name: '\ud83e' }))).toEqual(['name: must be a string']);
    expect(checkInput(ThemeInputRules, { name: '\ud83e\udded' })).toEqual([]);
  });

  it('include NaN and infinity', () => {
    const input = { name: 'Calm', overlayOpacity: Number.NaN, stagePadding: Infinity };
    expect(found(checkInput(ThemeInputRules, input))).toEqual([
      'overlayOpacity: must be a number',
      'stagePadding: must be an integer',
    ]);
  });
});

describe('checking arguments', () => {
  it('works like checking an input', () => {
    expect(found(checkArguments(MutationWorkspaceRename, { id: 'w', expectedVersion: 1, name: '' }))).toEqual([
      'name: must not be empty',
    ]);
  });
});
