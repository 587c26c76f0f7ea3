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

it('takes the origins of copied addresses, each once', () => {
  expect(
    originsOf(
      'https://Shop.example.com/App?a=1#b https://shop.example.com/\nhttp://localhost:4450/admin/ HTTPS://me@example.com?a',
    ),
  ).toEqual(['https://shop.example.com', 'http://localhost:4450', 'https://example.com']);
  expect(originsProblem('https://shop.example.com/App?a=1')).toBeUndefined();
});

it('keeps other texts and reports the first that is not an origin', () => {
  expect(originsOf('example.com/App ftp://example.com')).toEqual(['example.com/App', 'ftp://example.com']);
  expect(originsProblem('https://EXAMPLE.com:443')).toBeUndefined();
  expect(originsProblem('https://*.example.com http://intranet:8080')).toBeUndefined();
  expect(originsProblem('https://*.com')).toBeDefined();
  expect(originsProblem('https://example.com ftp://example.com')).toMatch(
    /^“ftp:\/\/example\.com” needs https:\/\/ in front/,
  );
  expect(originsProblem('example.com/App')).toMatch(/^“example\.com\/App” needs https:\/\/ in front/);
});
