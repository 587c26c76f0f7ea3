import { expect, it, vi } from 'vitest';
import { VisitorInputRules } from '../../src/generated/rules';
import { hasFormat } from '../../src/generated/traitql';
import { newVisitor, visitorId, visitorInput } from './visitor-id';

it('sends the locale only if the server accepts it', () => {
  const locales = ['de-CH', 'zh-Hant-TW', '', 'C', 'en_US', 'en-US@posix', `en${'-abcdefgh'.repeat(4)}`];
  for (const locale of locales) {
    const accepted = hasFormat('LOCALE', locale) && locale.length <= VisitorInputRules.fields.locale.length.max;
    expect(visitorInput('browser-1', {}, locale)).toEqual({
      anonymousId: 'browser-1',
      ...(accepted ? { locale } : {}),
    });
  }
});

it('generates ids that the server accepts', () => {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
    (array as unknown as Uint32Array).fill(0xff_ff_ff_ff);
    return array;
  });
  expect(newVisitor().length).toBeLessThanOrEqual(VisitorInputRules.fields.anonymousId.length.max);
  vi.restoreAllMocks();
});

it('keeps the id of the page if the browser blocks storage', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new Error('Access is denied.');
    },
    setItem() {
      throw new Error('Access is denied.');
    },
  });
  const id = visitorId();
  expect(visitorId()).toBe(id);
  const next = newVisitor();
  expect(next).not.toBe(id);
  expect(visitorId()).toBe(next);
  vi.unstubAllGlobals();
});
