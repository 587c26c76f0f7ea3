import { describe, expect, it } from 'vitest';
import { MutationBoot, MutationReleaseEnd, MutationTourRelease, MutationWorkspaceCreate } from '../../generated/fields';
import { RoleValues } from '../../generated/rules';
import { can, canFrom } from './permissions';

describe('can', () => {
  it('includes the permissions of lower roles', () => {
    const releasers = RoleValues.filter(role => can(MutationTourRelease, role).allowed);
    expect(releasers).toEqual(['PUBLISHER', 'ADMIN']);
  });

  it('names the required role and the role of the member', () => {
    expect(can(MutationTourRelease, 'AUTHOR')).toEqual({
      allowed: false,
      reason: 'Requires the publisher role. Your role is author.',
    });
  });

  it('allows public operations and those that require only an account', () => {
    expect(can(MutationBoot, 'VIEWER').allowed).toBe(true);
    expect(can(MutationWorkspaceCreate, 'VIEWER').allowed).toBe(true);
  });
});

describe('canFrom', () => {
  it('follows the state machine and uses the messages of the error catalog', () => {
    expect(canFrom(MutationReleaseEnd, 'LIVE', 'release').allowed).toBe(true);
    expect(canFrom(MutationReleaseEnd, 'ENDED', 'release')).toEqual({
      allowed: false,
      reason: 'This release is ended and cannot become ended.',
    });
  });
});
