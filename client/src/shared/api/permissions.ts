import { RoleValues } from '../../generated/rules';
import { isRoleEnough, canTransition, type Access, type Transition } from '../../generated/traitql';
import { t } from '../i18n/en/common';
import { t as errors } from '../i18n/en/errors';

export type RoleName = (typeof RoleValues)[number];

export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** A root field of `generated/fields`. */
export interface Guarded {
  readonly access: Exclude<Access, { to: 'ROLE' }> | (Extract<Access, { to: 'ROLE' }> & { readonly role: RoleName });
}

const ALLOWED: Permission = { allowed: true };

export function can({ access }: Guarded, role: RoleName): Permission {
  switch (access.to) {
    case 'PUBLIC':
    case 'SIGNED_IN':
      return ALLOWED;
    case 'ROLE':
      return isRoleEnough(RoleValues, role, access.role)
        ? ALLOWED
        : {
            allowed: false,
            reason: t.roles.needs(roleName(access.role), roleName(role)),
          };
    default:
      return access satisfies never;
  }
}

/** Returns the server's message if the state does not allow the action. */
export function canFrom(field: { readonly transition: Transition }, state: string, thing: string): Permission {
  if (canTransition(field, state)) return ALLOWED;
  const words = (name: string) => name.toLowerCase().replaceAll('_', ' ');
  const [from, to] = [words(state), words(field.transition.to)];
  return { allowed: false, reason: errors.sentence('ILLEGAL_TRANSITION', { from, thing, to }) };
}

export const roleName = (role: RoleName): string => t.roles.names[role];
