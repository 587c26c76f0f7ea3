import { catalogue } from '../lib/language';

const english = {
  title: 'Audit',
  description: 'Who did what, and when. Entries are written with the change itself and stay.',
  forAdministrators: 'For administrators',
  loading: 'Loading the audit entries',
  empty: 'Nothing has happened yet',
  emptyText: 'Every change to this workspace appears here.',
  entries: 'Audit entries, newest first',
  changes: 'Changes',
  quoted: (subject: string) => `“${subject}”`,
  nouns: { member: 'the member', participant: 'the participant', release: 'the release', site: 'the site', theme: 'the theme', tour: 'the tour', workspace: 'the workspace' },
  verbs: { add: (noun: string) => `added ${noun}`, adjust: (noun: string) => `changed for whom, what for or when, of ${noun}`, archive: (noun: string) => `archived ${noun}`, create: (noun: string) => `created ${noun}`, default: (noun: string) => `chose as the default ${noun}`, delete: (noun: string) => `deleted ${noun}`, duplicate: (noun: string) => `duplicated ${noun}`, end: (noun: string) => `ended ${noun}`, erase: (noun: string) => `erased ${noun}`, pause: (noun: string) => `paused ${noun}`, release: (noun: string) => `released ${noun}`, remove: (noun: string) => `removed ${noun}`, rename: (noun: string) => `renamed ${noun}`, reset: (noun: string) => `reset ${noun}`, restore: (noun: string) => `restored ${noun}`, resume: (noun: string) => `resumed ${noun}`, role: (noun: string) => `changed the role of ${noun}`, rollback: (noun: string) => `rolled back ${noun}`, rotate: (noun: string) => `replaced the key of ${noun}`, tester: (noun: string) => `changed who tests as ${noun}`, update: (noun: string) => `changed ${noun}` },
};

export type AuditTexts = typeof english;
export const t = catalogue('audit', english);
