import { expect, it } from 'vitest';
import { saveReturnPath, savedReturnPath, safePath } from './return-to';

const origin = 'https://waypost.example';

it.each(['/', '/w/acme/tours', '/w/acme/tours?status=LIVE#step-2', '/w/a%2Fb', '/authors'])(
  '%s is a valid path',
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
])('%j is replaced by the home page', candidate => {
  expect(safePath(candidate, origin)).toBe('/');
});

it('stores a safe path until the sign-in is finished', () => {
  expect(savedReturnPath()).toBe('/');
  saveReturnPath('/w/acme/tours');
  expect(savedReturnPath()).toBe('/w/acme/tours');
  saveReturnPath('//evil.example');
  expect(savedReturnPath()).toBe('/');
  saveReturnPath(null);
  expect(savedReturnPath()).toBe('/');
});
