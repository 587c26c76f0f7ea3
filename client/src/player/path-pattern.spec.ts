import { describe, expect, it } from 'vitest';
import { matchesPath } from './path-pattern';

describe('a path pattern', () => {
  it.each([
    ['/billing', '/billing', true],
    ['/billing', '/billing/cards', false],
    ['/tours/*', '/tours/welcome', true],
    ['/tours/*', '/tours/', true],
    ['/tours/*', '/tour', false],
    ['*/edit', '/tours/welcome/edit', true],
    ['/a/*/c', '/a/b/c', true],
    ['/a/*/c', '/a/c', false],
    ['/a*a', '/a', false],
    ['/*b*b', '/b', false],
    ['/*b*c*', '/abbcc', true],
    ['*', '/anything', true],
  ])('%s on %s: %s', (pattern, path, matches) => {
    expect(matchesPath(pattern, path)).toBe(matches);
  });
});
