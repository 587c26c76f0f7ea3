import { describe, expect, it } from 'vitest';
import { roles } from '../generated/rules';
import { can, canFrom } from './can';

describe('can', () => {
  it('lets a role do what it and the roles before it may do', () => {
    const releasers = roles.filter(role => can('tourRelease', role).allowed);
    expect(releasers).toEqual(['PUBLISHER', 'ADMIN']);
  });

  it('says which role it takes and which one the person has', () => {
    expect(can('tourRelease', 'AUTHOR')).toEqual({
      allowed: false,
      reason: 'This needs the publisher role; you are an author.',
    });
  });

  it('never refuses what is public or needs only a sign-in', () => {
    expect(can('boot', 'VIEWER').allowed).toBe(true);
    expect(can('workspaceCreate', 'VIEWER').allowed).toBe(true);
  });
});

describe('canFrom', () => {
  it('follows the edges of the state machine, in the words of the catalogue', () => {
    expect(canFrom('releaseEnd', 'LIVE', 'release').allowed).toBe(true);
    expect(canFrom('releaseEnd', 'ENDED', 'release')).toEqual({
      allowed: false,
      reason: 'This release is ended and cannot become ended.',
    });
  });
});
