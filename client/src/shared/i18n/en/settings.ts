import { counted } from '../format';
import { defineMessages } from '../messages';

/** The server counts no more than this. */
const MAX_COUNT = 100_000;

const atMost = (count: number, text: string): string => (count < MAX_COUNT ? text : `more than ${text}`);

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
  retention: {
    title: 'Data retention',
    description: 'The server deletes older data every hour. Insights, funnels, and lift keep all of their numbers.',
    loading: 'Loading data retention',
    fields: {
      visitorDays: 'Delete visitors after (days without a visit)',
      runDays: 'Delete run events after (days without activity)',
      auditDays: 'Delete audit entries after (days)',
    },
    hints: {
      visitorDays:
        'With their runs and everything else that is stored about them. A visitor who returns later counts as a new one.',
      runDays:
        'For each visitor and tour, the last result stays without its events, so that no one sees a tour again because of its age.',
      auditDays: 'Export the audit log before if you need older entries.',
    },
    counting: 'Counting what would be deleted now…',
    nothing: 'Nothing is old enough to be deleted now.',
    now: (deleted: string) => `Would be deleted within an hour: ${deleted}.`,
    visitors: (count: number) => atMost(count, counted(count, { one: '# visitor', other: '# visitors' })),
    runs: (count: number) =>
      atMost(count, counted(count, { one: 'the events of # run', other: 'the events of # runs' })),
    auditEntries: (count: number) => atMost(count, counted(count, { one: '# audit entry', other: '# audit entries' })),
    save: 'Save retention',
    saved: 'Data retention saved.',
    confirmTitle: 'Delete older data?',
    confirmText: (deleted: string) => `Within an hour, this is permanently deleted: ${deleted}.`,
    confirmUncounted: 'Within an hour, all data that is older than these days is permanently deleted.',
    confirm: 'Save and delete',
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
