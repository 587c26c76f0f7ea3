// The people that the development identity provider knows: one for every role of Waypost.
// The password is the account's name; the provider runs on loopback only and is no place for secrets.

/**
 * @typedef {{ name: string, fullName: string, email: string, role: string, may: string }} Account
 */

/** @type {readonly Account[]} */
export const ACCOUNTS = [
  account('admin', 'Ada Admin', 'ADMIN', 'manages sites, members and the workspace'),
  account('publisher', 'Pia Publisher', 'PUBLISHER', 'releases tours to sites'),
  account('author', 'Otto Author', 'AUTHOR', 'writes tours and themes'),
  account('viewer', 'Vera Viewer', 'VIEWER', 'reads tours and insights'),
];

/** @returns {Account} */
function account(name, fullName, role, may) {
  return { name, fullName, email: `${name}@waypost.example`, role, may };
}

/**
 * What the provider says about an account, in ID tokens and access tokens alike.
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
