import { defineMessages } from '../messages';

const english = {
  list: {
    loading: 'Loading your workspaces',
    title: 'Workspaces',
    new: 'New workspace',
    description: 'A workspace is a team: its tours, its sites and its people.',
    empty: 'You are in no workspace yet',
    emptyText: (account: string | null) =>
      `Make one for your team, or ask an administrator to add ${account ?? 'your account'} to theirs.`,
  },
  create: {
    title: 'New workspace',
    description: 'You become its first administrator.',
    addressHint: (slug: string) => `Its pages are at /w/${slug}`,
    submit: 'Create workspace',
  },
  settings: {
    title: 'Settings',
    renamed: 'The workspace has its new name.',
    workspace: 'Workspace',
    addressHint: 'It stays as it is, so that links keep working.',
    save: 'Save name',
    about: 'About',
    licence: 'Waypost is free software under the AGPL-3.0: you may use, read, change and share it.',
    version: 'Version',
    sourceCode: 'Source code',
    signIn: 'Sign-in',
  },
  members: {
    title: 'Members',
    description:
      'Viewers read, authors write, publishers release, administrators manage; each role includes the ones before.',
    add: 'Add member',
    loading: 'Loading the members',
    you: 'you',
    since: (when: string) => `since ${when}`,
    roleOf: (name: string) => `Role of ${name}`,
    hasRole: (name: string, role: string) => `${name} is ${role} now.`,
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    leaveTitle: 'Leave the workspace?',
    leave: 'Leave',
    leaveLabel: 'Leave the workspace',
    remove: 'Remove member',
    removed: (name: string) => `${name} is no longer a member.`,
    leaveText: 'You can no longer see this workspace. What you made stays; to come back, you need an administrator.',
    removeText: (name: string) =>
      `${name} can no longer see this workspace. What they made stays; their open invitations end.`,
  },
  memberAdd: {
    title: 'Add a member',
    description: 'Whoever has signed in here before is a member at once. Everybody else gets an invitation.',
    promises: {
      VIEWER: 'Reads tours and insights.',
      AUTHOR: 'Also writes tours and themes.',
      PUBLISHER: 'Also releases tours to sites.',
      ADMIN: 'Also manages sites, members and the workspace.',
    },
    added: (name: string) => `${name} is a member now.`,
    email: 'E-mail address',
    role: 'Role',
    submit: 'Add member',
    invite: 'Make an invitation link',
  },
};

export type WorkspaceTexts = typeof english;
export const t = defineMessages('workspace', english);
