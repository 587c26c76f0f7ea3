import { describe, expect, it } from 'vitest';
import { MutationBoot, MutationReleaseEnd, MutationTourRelease, MutationWorkspaceCreate } from '../../generated/fields';
import { RoleValues } from '../../generated/rules';
import { can, canFrom } from './permissions';

describe('can', () => {
  it('lets a role do what it and the roles before it may do', () => {
    const releasers = RoleValues.filter(role => can(MutationTourRelease, role).allowed);
    expect(releasers).toEqual(['PUBLISHER', 'ADMIN']);
  });

  it('says which role it takes and which one the person has', () => {
    expect(can(MutationTourRelease, 'AUTHOR')).toEqual({
      allowed: false,
      reason: 'Requires the publisher role. Your role is author.',
    });
  });

  it('never refuses what is public or needs only a sign-in', () => {
    expect(can(MutationBoot, 'VIEWER').allowed).toBe(true);
    expect(can(MutationWorkspaceCreate, 'VIEWER').allowed).toBe(true);
  });
});

describe('canFrom', () => {
  it('follows the edges of the state machine, in the words of the catalogue', () => {
    expect(canFrom(MutationReleaseEnd, 'LIVE', 'release').allowed).toBe(true);
    expect(canFrom(MutationReleaseEnd, 'ENDED', 'release')).toEqual({
      allowed: false,
      reason: 'This release is ended and cannot become ended.',
    });
  });
});
