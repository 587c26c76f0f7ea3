import { expect, it } from 'vitest';
import { keepReturn, keptReturn, safePath } from './return-to';

const origin = 'https://waypost.example';

it.each(['/', '/w/acme/tours', '/w/acme/tours?status=LIVE#step-2', '/w/a%2Fb', '/authors'])(
  '%s is a way back',
  path => {
    expect(safePath(path, origin)).toBe(path);
  },
);

it.each<unknown>([
  '//evil.test',
  '/\\evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
  '/%2e//evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  'https:evil.test',
  'https://evil.test/',
  'https://waypost.example/tours',
  'javascript:alert(1)',
  '%2f%2fevil.test',
  '',
  null,
  undefined,
  { path: '/' },
  '/auth/callback?code=1',
  '/./auth/callback',
  '/signed-out',
])('%j leads home instead', candidate => {
  expect(safePath(candidate, origin)).toBe('/');
});

it('the way back of a sign-in is kept until it is finished, and never leads elsewhere', () => {
  expect(keptReturn()).toBe('/');
  keepReturn('/w/acme/tours');
  expect(keptReturn()).toBe('/w/acme/tours');
  keepReturn('//evil.example');
  expect(keptReturn()).toBe('/');
  keepReturn(null);
  expect(keptReturn()).toBe('/');
});
