import { expect, it } from 'vitest';
import { defaultStart, checkContent, type DraftContent, type Problem } from '../../tour/draft';
import { draftStep as step } from '../../tour/fixtures';
import { fieldNames, formatViolation, problemAt, problemEntries } from './problems';

const content: DraftContent = {
  steps: [
    step('welcome', { title: '' }),
    step('cart', { waitMs: 31_000 }),
    step('cart', { nextLabel: 'x'.repeat(31) }),
  ],
  start: { ...defaultStart, page: 'billing', delayMs: 61_000 },
  themeId: null,
  locales: ['en'],
};

it('uses the field names and units of the editor, and locates the fields', () => {
  const entries = problemEntries(content.steps, [], checkContent(content));
  expect(entries.map(each => each.text)).toEqual([
    'Not saved: the title of “welcome” must not be empty.',
    'Not saved: the wait for element of “cart” must be between 0 and 30 seconds.',
    'Not saved: the next button label of “cart” must have at most 30 characters.',
    'Not saved: “Only on pages” must be a path that starts with `/`; `*` matches any characters.',
    'Not saved: “Delay” must be between 0 and 60 seconds.',
    'Not saved: the key of “cart” is already used by another step.',
  ]);
  expect(entries.map(each => each.location)).toEqual([
    { kind: 'step', key: 'welcome', field: 'title' },
    { kind: 'step', key: 'cart', field: 'waitMs' },
    { kind: 'step', key: 'cart', field: 'nextLabel' },
    { kind: 'rules', field: 'page' },
    { kind: 'rules', field: 'delayMs' },
    { kind: 'step', key: 'cart', field: 'key' },
  ]);
});

it('sorts blockers before warnings, and locates where to fix them', () => {
  const problems: Problem[] = [
    { severity: 'WARNING', code: 'LONG_BODY', stepKey: 'cart', locale: null, message: 'Long.' },
    { severity: 'BLOCKER', code: 'TARGET_REQUIRED', stepKey: 'cart', locale: null, message: 'No element.' },
    { severity: 'WARNING', code: 'MANY_STEPS', stepKey: null, locale: null, message: 'Many.' },
    { severity: 'WARNING', code: 'ELEMENT_MISSING', stepKey: 'welcome', locale: null, message: 'Missing.' },
  ];
  expect(problemEntries(content.steps, problems, []).map(each => [each.text, each.location])).toEqual([
    ['No element.', { kind: 'step', key: 'cart', field: 'target' }],
    ['Long.', { kind: 'step', key: 'cart', field: 'body' }],
    ['Many.', { kind: 'list' }],
    ['Missing.', { kind: 'step', key: 'welcome', field: 'target' }],
  ]);
  const cart = step('cart');
  expect(problemAt(problems, cart, cart, 'target')).toBe('No element.');
  expect(problemAt(problems, cart, cart, 'body')).toBeUndefined();
  const fixed = step('cart', { target: { by: 'DATA_TOUR', value: 'cart' } });
  expect(problemAt(problems, cart, fixed, 'target')).toBeUndefined();
});

it('names the field with a problem', () => {
  expect(fieldNames({ kind: 'step', key: 'cart', field: 'target' })).toEqual(['Element']);
  expect(fieldNames({ kind: 'step', key: 'cart' })).toEqual([]);
  expect(fieldNames({ kind: 'rules', field: 'everyDays' })).toEqual(['Repeat after (days)']);
  expect(fieldNames({ kind: 'languages', locale: 'de' })).toEqual(['Languages']);
  expect(fieldNames({ kind: 'list' })).toEqual([]);
});

it('lists local warnings last', () => {
  const problems: Problem[] = [
    { severity: 'BLOCKER', code: 'EMPTY_TOUR', stepKey: null, locale: null, message: 'Add at least one step.' },
  ];
  const localWarnings = (['imageFails', 'notFound'] as const).map(kind => ({ step: step('cart'), kind }));
  const [, image, last] = problemEntries(content.steps, problems, [], localWarnings);
  expect(image).toMatchObject({ severity: 'WARNING', location: { kind: 'step', key: 'cart', field: 'body' } });
  expect(last).toMatchObject({ severity: 'WARNING', location: { kind: 'step', key: 'cart', field: 'target' } });
  expect(last?.text).toContain('The element of “cart” wasn’t found');
});

it('locates an unreachable step at the branches that skip it', () => {
  const branches = [{ to: null, label: 'No, thanks', when: null }];
  const steps = [step('welcome', { branches }), step('cart'), step('end')];
  const unreachable = (stepKey: string): Problem => ({
    severity: 'BLOCKER',
    code: 'UNREACHABLE_STEP',
    stepKey,
    locale: null,
    message: '',
  });
  expect(problemEntries(steps, [unreachable('cart'), unreachable('end')], []).map(each => each.location)).toEqual([
    { kind: 'step', key: 'welcome', field: 'branches' },
    { kind: 'step', key: 'end' },
  ]);
});

it('shows the limits of durations in seconds', () => {
  const params = { min: 0, max: 60_000 };
  const violation = { problem: 'must be between 0 and 60000', rule: 'range', params };
  expect(formatViolation({ ...violation, path: 'steps.0.waitMs' })).toBe('must be between 0 and 60 seconds');
  expect(formatViolation({ ...violation, path: 'steps.0.count' })).toBe('must be between 0 and 60000');
  const type = { problem: 'must be an integer', rule: 'type', params: { expected: 'INTEGER' } };
  expect(formatViolation({ ...type, path: 'steps.0.waitMs' })).toBe('must be an integer');
});
