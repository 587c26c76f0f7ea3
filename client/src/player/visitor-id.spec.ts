import { expect, it } from 'vitest';
import { VisitorInputRules } from '../generated/rules';
import { hasFormat } from '../generated/traitql';
import { visitorInput } from './visitor-id';

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
