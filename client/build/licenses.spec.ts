import path from 'node:path';
import { expect, it } from 'vitest';
import { packageNotices } from './licenses';

it('contains the license of every dependency, including fonts and indirect ones', () => {
  const notices = packageNotices(path.join(import.meta.dirname, '../..'));
  for (const name of ['react', 'intro.js', '@fontsource-variable/figtree', '@radix-ui/react-dialog', 'scheduler']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
  expect(notices).toContain('Permission is hereby granted');
  expect(notices).toContain('SIL Open Font License');
  expect(notices).not.toMatch(/^(vite|rolldown|oidc-provider|koa|typescript|vitest) /m);
});
