import { defineMessages } from '../messages';

const english = {
  list: {
    restricted: 'Only administrators of a workspace can create workspaces here.',
    loading: 'Loading your workspaces',
    title: 'Workspaces',
    new: 'New workspace',
    description: 'A workspace contains a team’s tours, sites, and members.',
    empty: 'No workspaces yet',
    emptyText: (account: string | null) =>
      `Create one for your team, or ask an administrator to invite ${account ?? 'you'} to theirs.`,
  },
  create: {
    title: 'New workspace',
    description: 'You’ll be its first administrator.',
    addressHint: (slug: string) => `Your workspace will be at /w/${slug}`,
    submit: 'Create workspace',
  },
  sample: {
    notice: 'This workspace contains sample data.',
    remove: 'Remove sample workspace',
    removed: (name: string) => `“${name}” removed.`,
    title: (name: string) => `Remove ${name}?`,
    text: 'This deletes the workspace with all of its tours, sites, visitors, insights, and its audit log for everyone. This can’t be undone.',
  },
  members: {
    title: 'Members',
    description:
      'Viewers read, authors write, publishers release, and administrators manage. Each role includes the ones before it.',
    add: 'Invite',
    loading: 'Loading members',
    you: 'you',
    since: (when: string) => `since ${when}`,
    roleOf: (name: string) => `Role of ${name}`,
    roleChanged: (name: string, role: string) => `Role of ${name} changed to ${role}.`,
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    leaveTitle: 'Leave workspace?',
    leave: 'Leave',
    leaveLabel: 'Leave workspace',
    remove: 'Remove member',
    removed: (name: string) => `${name} is no longer a member.`,
    leaveText:
      'You’ll lose access to this workspace. Your work stays; your pending invitations and access tokens are revoked. To come back, you need an administrator.',
    removeText: (name: string) =>
      `${name} will lose access to this workspace. Their work stays; their pending invitations and access tokens are revoked.`,
  },
};

export type WorkspaceTexts = typeof english;
export const t = defineMessages('workspace', english);
