import { defineMessages } from '../messages';

const english = {
  /** The link of an invitation, told once. */
  link: {
    title: 'Pass on this link',
    description: (email: string) => `Waypost sends no mail. Copy the link and send it to ${email} yourself.`,
    label: 'Link',
    hint: (when: string) =>
      `It is shown this once, works once, until ${when}, and only for somebody who signs in with this address.`,
    copy: 'Copy link',
    done: 'Done',
  },
  list: {
    title: 'Invitations',
    description:
      'A link lets somebody in who has never signed in here. It ends with the role of the administrator who made it.',
    loading: 'Loading the invitations',
    empty: 'Nobody is invited at the moment.',
    invitedBy: (name: string, role: string) => `as ${role}, by ${name}`,
    until: (when: string) => `until ${when}`,
    expired: 'expired',
    renew: 'New link',
    of: (email: string) => `for ${email}`,
    revokeLabel: (email: string) => `Revoke the invitation of ${email}`,
    revokeTitle: (email: string) => `Revoke the invitation of ${email}?`,
    revokeText: 'Its link works no more.',
    revoke: 'Revoke',
    revoked: (email: string) => `The invitation of ${email} is revoked.`,
  },
  page: {
    title: 'You are invited',
    loading: 'Reading the invitation',
    signIn: 'Sign in with the account that has the invited address. Then you see what you are invited to.',
    offer: (person: string, workspace: string, role: string) => `${person} invites you to “${workspace}” as ${role}.`,
    until: (when: string) => `The invitation can be accepted until ${when}.`,
    accept: (workspace: string) => `Join ${workspace}`,
    accepted: (workspace: string) => `You are in “${workspace}” now.`,
    later: 'Not now',
    memberTitle: 'You are a member already',
    member: (workspace: string) => `You are in “${workspace}” already. There is nothing to accept.`,
    open: 'Open the workspace',
    failedTitle: 'This invitation cannot be accepted',
    signedInAs: (account: string) => `You are signed in as ${account}.`,
    otherAccount: 'Sign in with another account',
    workspaces: 'To your workspaces',
    noneTitle: 'No invitation here',
    none: 'Open the whole link that you were sent: its last part is missing.',
  },
};

export type InvitationTexts = typeof english;
export const t = defineMessages('invitation', english);
