/** Whether a member may do something, from the schema's `@auth`, with the reason to show on a disabled button. */
import { access, roles, transitions, type RoleName } from '../generated/rules';
import { sentence } from './errors';

export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export type RootField = keyof typeof access;

const yes: Permission = { allowed: true };

/** `role` is the person's role in the workspace at hand. */
export function can(field: RootField, role: RoleName): Permission {
  const { to } = access[field];
  switch (to) {
    case 'PUBLIC':
    case 'SIGNED_IN':
      return yes;
    case 'VIEWER':
    case 'AUTHOR':
    case 'PUBLISHER':
    case 'ADMIN':
      return roles.indexOf(role) >= roles.indexOf(to)
        ? yes
        : {
            allowed: false,
            reason: `This needs the ${roleName(to)} role; you are ${article(role)} ${roleName(role)}.`,
          };
    default:
      return to satisfies never;
  }
}

/** Whether a mutation may start from a state, from the schema's `@transition`; the sentence is the server's. */
export function canFrom(field: keyof typeof transitions, state: string, thing: string): Permission {
  const { from, to } = transitions[field];
  if ((from as readonly string[]).includes(state)) return yes;
  const reason = sentence('ILLEGAL_TRANSITION', { from: state.toLowerCase(), thing, to: to.toLowerCase() });
  return { allowed: false, reason: reason ?? '' };
}

const names: Readonly<Record<RoleName, string>> = {
  VIEWER: 'viewer',
  AUTHOR: 'author',
  PUBLISHER: 'publisher',
  ADMIN: 'administrator',
};

export const roleName = (role: RoleName): string => names[role];

const article = (role: RoleName): string => (role === 'AUTHOR' || role === 'ADMIN' ? 'an' : 'a');
