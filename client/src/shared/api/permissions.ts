/** Whether a member may do something, from the schema's `@auth`, with the reason to show on a disabled button. */
import { RoleValues } from '../../generated/rules';
import { isRoleEnough, mayBegin, type Access, type Transition } from '../../generated/traitql';
import { t } from '../i18n/en/common';
import { t as say } from '../i18n/en/errors';

export type RoleName = (typeof RoleValues)[number];

export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** A root field, from `generated/fields`. */
export interface Guarded {
  readonly access: Exclude<Access, { to: 'ROLE' }> | (Extract<Access, { to: 'ROLE' }> & { readonly role: RoleName });
}

const yes: Permission = { allowed: true };

/** `role` is the person's role in the workspace at hand. */
export function can({ access }: Guarded, role: RoleName): Permission {
  switch (access.to) {
    case 'ANYBODY':
    case 'SIGNED_IN':
      return yes;
    case 'ROLE':
      return isRoleEnough(RoleValues, role, access.role)
        ? yes
        : {
            allowed: false,
            reason: t.roles.needs(roleName(access.role), roleName(role)),
          };
    default:
      return access satisfies never;
  }
}

/** Whether a mutation may start from a state, from the schema's `@transition`; the sentence is the server's. */
export function canFrom(field: { readonly transition: Transition }, state: string, thing: string): Permission {
  if (mayBegin(field, state)) return yes;
  const words = (name: string) => name.toLowerCase().replaceAll('_', ' ');
  const [from, to] = [words(state), words(field.transition.to)];
  return { allowed: false, reason: say.sentence('ILLEGAL_TRANSITION', { from, thing, to }) };
}

export const roleName = (role: RoleName): string => t.roles.names[role];
