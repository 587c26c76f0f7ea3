import { expect, it } from 'vitest';
import { originsOf, originsProblem } from './OriginsField';

it('takes what people paste for the origin it means', () => {
  expect(originsOf('https://EXAMPLE.com:443\n  https://app.example.com/ http://localhost:80//\n')).toEqual([
    'https://example.com',
    'https://app.example.com',
    'http://localhost',
  ]);
});

it('leaves everything else as it was typed, and names the first that is no origin', () => {
  expect(originsOf('https://example.com/App ftp://example.com HTTPS://me@example.com?a')).toEqual([
    'https://example.com/App',
    'ftp://example.com',
    'HTTPS://me@example.com?a',
  ]);
  expect(originsProblem('https://EXAMPLE.com:443')).toBeUndefined();
  expect(originsProblem('https://example.com https://example.com/App')).toMatch(/^“https:\/\/example\.com\/App” is not/);
});
