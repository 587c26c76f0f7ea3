import type { User } from 'oidc-client-ts';

/** A subject is unique per issuer only (OpenID Connect Core, section 5.7). */
export function accountKeyOf({ profile: { iss, sub } }: User): string {
  return JSON.stringify([iss, sub]);
}
