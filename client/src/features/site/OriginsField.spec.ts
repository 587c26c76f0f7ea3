import { expect, it } from 'vitest';
import { originsOf, originsProblem } from './OriginsField';

it('normalizes pasted origins', () => {
  expect(originsOf('https://EXAMPLE.com:443\n  https://app.example.com/ http://localhost:80//\n')).toEqual([
    'https://example.com',
    'https://app.example.com',
    'http://localhost',
  ]);
  expect(originsOf('HTTPS://*.EXAMPLE.com:443/')).toEqual(['https://*.example.com']);
});

it('keeps other texts and reports the first that is not an origin', () => {
  expect(originsOf('https://example.com/App ftp://example.com HTTPS://me@example.com?a')).toEqual([
    'https://example.com/App',
    'ftp://example.com',
    'HTTPS://me@example.com?a',
  ]);
  expect(originsProblem('https://EXAMPLE.com:443')).toBeUndefined();
  expect(originsProblem('https://*.example.com http://intranet:8080')).toBeUndefined();
  expect(originsProblem('https://*.com')).toBeDefined();
  expect(originsProblem('https://example.com ftp://example.com')).toMatch(
    /^“ftp:\/\/example\.com” needs https:\/\/ in front/,
  );
  expect(originsProblem('example.com/App')).toMatch(/^“example\.com\/App” needs https:\/\/ in front/);
});

it('suggests the origin if the text is the address of a page', () => {
  expect(originsProblem('https://example.com https://Shop.example.com/App?a=1')).toBe(
    '“https://Shop.example.com/App?a=1” is the address of a single page. Enter https://shop.example.com instead.',
  );
  expect(originsProblem('http://example.com/App')).toMatch(/Enter http:\/\/example\.com instead/);
});
