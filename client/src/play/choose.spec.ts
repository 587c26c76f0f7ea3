import { describe, expect, it } from 'vitest';
import { type BootedTour, chooseTour, matchesPath } from './choose';

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
  ])('%s on %s: %s', (pattern, path, fits) => {
    expect(matchesPath(pattern, path)).toBe(fits);
  });
});

const tour = (slug: string, rest: Partial<BootedTour['start']> = {}, resume: BootedTour['resume'] = null) =>
  ({ slug, resume, start: { trigger: 'AUTO', page: null, delayMs: 0, ...rest } }) as BootedTour;

describe('the tour that begins', () => {
  it('is the first that starts by itself on this page', () => {
    const tours = [tour('manual', { trigger: 'MANUAL' }), tour('elsewhere', { page: '/x' }), tour('here'), tour('later')];
    expect(chooseTour(tours, '/')?.slug).toBe('here');
  });

  it('is an unfinished one before any other', () => {
    const unfinished = tour('unfinished', { trigger: 'MANUAL' }, { runId: 'r', stepKey: 's', seq: 4 });
    expect(chooseTour([tour('here'), unfinished], '/')?.slug).toBe('unfinished');
  });

  it('is none when none fits', () => {
    expect(chooseTour([tour('elsewhere', { page: '/x' })], '/')).toBeNull();
  });
});
