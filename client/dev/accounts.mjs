// One for each role. The password is the name; the provider listens on loopback only.

/**
 * @typedef {{ name: string, fullName: string, email: string, role: string, permissions: string }} Account
 */

/** @type {readonly Account[]} */
export const ACCOUNTS = [
  account('admin', 'Ada Admin', 'ADMIN', 'manages sites, members and the workspace'),
  account('publisher', 'Pia Publisher', 'PUBLISHER', 'releases tours to sites'),
  account('author', 'Otto Author', 'AUTHOR', 'writes tours and creates themes'),
  account('viewer', 'Vera Viewer', 'VIEWER', 'reads tours and insights'),
];

/** @returns {Account} */
function account(name, fullName, role, permissions) {
  return { name, fullName, email: `${name}@waypost.example`, role, permissions };
}

/**
 * Returns the claims of an account, for both ID tokens and access tokens.
 * @param {Account} account
 * @param {readonly string[]} roles
 */
export function claimsOf(account, roles) {
  return {
    name: account.fullName,
    preferred_username: account.name,
    email: account.email,
    email_verified: true,
    roles,
  };
}
