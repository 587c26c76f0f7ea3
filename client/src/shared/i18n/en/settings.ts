import { defineMessages } from '../messages';

const english = {
  settings: {
    title: 'Settings',
    renamed: 'Workspace renamed.',
    workspace: 'Workspace',
    addressHint: 'Can’t be changed, so that links keep working.',
    save: 'Save name',
    about: 'About',
    license: 'Waypost is free software under the AGPL-3.0. You may use, read, modify, and share it.',
    thirdParty: 'Third-party code',
    sourceCode: 'Source code',
    signIn: (providers: string) => `Sign-in with ${providers}`,
  },
  delete: {
    panel: 'Delete workspace',
    description: 'For everyone, with everything in it.',
    open: 'Delete workspace',
    title: (name: string) => `Delete ${name}?`,
    tours: 'Its tours no longer start on any page.',
    toursOn: (sites: string) => `Its tours no longer start on ${sites}, immediately.`,
    content: 'All tours, releases, themes, segments, sites, visitors, and insights are deleted.',
    access: 'All members lose access, and access tokens stop working.',
    audit: 'The audit log is deleted too. Only the log of the server records who deleted the workspace.',
    exportFirst: 'Export the audit log first',
    name: (name: string) => `Enter “${name}” to confirm`,
    typeName: 'Enter the name of the workspace first.',
    irreversible: 'This can’t be undone.',
    action: 'Delete this workspace',
    deleted: (name: string) => `“${name}” deleted.`,
  },
};

export type SettingsTexts = typeof english;
export const t = defineMessages('settings', english);
