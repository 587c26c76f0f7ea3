import { defineMessages } from '../messages';

const english = {
  /** Shown only once. */
  link: {
    title: 'Share this link',
    description: (email: string) => `Waypost doesn’t send email. Copy the link and send it to ${email}.`,
    label: 'Link',
    hint: (when: string) =>
      `You won’t see this link again. It works once, until ${when}, and only for someone who signs in with this address.`,
    copy: 'Copy link',
    done: 'Done',
  },
  create: {
    title: 'Invite someone',
    description:
      'You get a link to send. It works for anyone who signs in with this address, with a new account or an existing one.',
    promises: {
      VIEWER: 'Can view tours and insights.',
      AUTHOR: 'Can also write tours and create themes.',
      PUBLISHER: 'Can also release tours to sites.',
      ADMIN: 'Can also manage sites, members, and the workspace.',
    },
    email: 'Email address',
    role: 'Role',
    submit: 'Create invitation link',
  },
  list: {
    title: 'Invitations',
    description:
      'Links that nobody has used yet. A link stops working if the administrator who created it loses that role.',
    loading: 'Loading invitations',
    empty: 'No pending invitations.',
    invitedBy: (name: string, role: string) => `as ${role}, by ${name}`,
    until: (when: string) => `until ${when}`,
    expired: 'expired',
    renew: 'New link',
    of: (email: string) => `for ${email}`,
    revokeLabel: (email: string) => `Revoke invitation for ${email}`,
    revokeTitle: (email: string) => `Revoke the invitation for ${email}?`,
    revokeText: 'The link will stop working.',
    revoke: 'Revoke',
    revoked: (email: string) => `Invitation for ${email} revoked.`,
  },
  page: {
    title: 'You’re invited',
    loading: 'Loading the invitation',
    signIn: 'Sign in with the account that has the invited email address to see the invitation.',
    offer: (person: string, workspace: string, role: string) =>
      `${person} invited you to “${workspace}” with the ${role} role.`,
    until: (when: string) => `You can accept until ${when}.`,
    accept: (workspace: string) => `Join ${workspace}`,
    accepted: (workspace: string) => `You joined “${workspace}”.`,
    later: 'Not now',
    memberTitle: 'You’re already a member',
    member: (workspace: string) => `You’re already a member of “${workspace}”. There’s nothing to accept.`,
    open: 'Open workspace',
    failedTitle: 'This invitation can’t be accepted',
    signedInAs: (account: string) => `You’re signed in as ${account}.`,
    otherAccount: 'Use a different account',
    workspaces: 'Go to your workspaces',
    noneTitle: 'No invitation found',
    none: 'Open the complete link you were sent. Its last part is missing.',
  },
};

export type InvitationTexts = typeof english;
export const t = defineMessages('invitation', english);
