import { defineMessages } from '../messages';

const english = {
  list: {
    title: 'Access tokens',
    description: 'For programs such as a CI job that runs the waypost command. Changes appear under the token’s name.',
    add: 'New access token',
    loading: 'Loading access tokens',
    empty: 'No access tokens.',
    created: (role: string, by: string) => `created by ${by} with the ${role} role`,
    until: (when: string) => `valid until ${when}`,
    expired: 'expired',
    lastUsed: (when: string) => `last used ${when}`,
    neverUsed: 'not used yet',
    revoke: 'Revoke',
    revokeLabel: (name: string) => `Revoke access token ${name}`,
    revokeTitle: (name: string) => `Revoke the access token ${name}?`,
    revokeText: 'Programs that use it can no longer call Waypost.',
    revoked: (name: string) => `Access token ${name} revoked.`,
  },
  create: {
    title: 'New access token',
    description: 'A program with this token acts as a member of this workspace.',
    name: 'Name',
    nameHint: 'Shown in the audit log, for example “CI of the web shop”.',
    role: 'Role',
    days: 'Valid for (days)',
    submit: 'Create access token',
  },
  secret: {
    title: 'Copy this access token',
    description: (name: string) => `Store “${name}” as a secret of the program that uses it.`,
    label: 'Access token',
    hint: (when: string) => `You won’t see it again. It’s valid until ${when}.`,
    copy: 'Copy access token',
    use: 'The waypost command reads it from the environment variable WAYPOST_TOKEN.',
    done: 'Done',
  },
};

export type AccessTokenTexts = typeof english;
export const t = defineMessages('accessToken', english);
