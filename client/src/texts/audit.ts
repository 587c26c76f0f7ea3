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
  nouns: { comment: 'a comment', invitation: 'the invitation', member: 'the member', participant: 'the participant', release: 'the release', revision: 'the revision', site: 'the site', theme: 'the theme', tour: 'the tour', workspace: 'the workspace' },
  verbs: { accept: (noun: string) => `accepted ${noun}`, add: (noun: string) => `added ${noun}`, adjust: (noun: string) => `changed for whom, what for or when, of ${noun}`, archive: (noun: string) => `archived ${noun}`, create: (noun: string) => `created ${noun}`, default: (noun: string) => `chose as the default ${noun}`, delete: (noun: string) => `deleted ${noun}`, duplicate: (noun: string) => `duplicated ${noun}`, end: (noun: string) => `ended ${noun}`, erase: (noun: string) => `erased ${noun}`, leave: (noun: string) => `left, as ${noun}`, pause: (noun: string) => `paused ${noun}`, release: (noun: string) => `released ${noun}`, remove: (noun: string) => `removed ${noun}`, rename: (noun: string) => `renamed ${noun}`, renew: (noun: string) => `made a new link for ${noun}`, reset: (noun: string) => `reset ${noun}`, restore: (noun: string) => `restored ${noun}`, resume: (noun: string) => `resumed ${noun}`, return: (noun: string) => `returned ${noun}`, review: (noun: string) => `changed whether reviews are required in ${noun}`, revoke: (noun: string) => `revoked ${noun}`, role: (noun: string) => `changed the role of ${noun}`, rollback: (noun: string) => `rolled back ${noun}`, rotate: (noun: string) => `replaced the key of ${noun}`, submit: (noun: string) => `asked for a review of ${noun}`, tester: (noun: string) => `changed who tests as ${noun}`, update: (noun: string) => `changed ${noun}` },
};

export type AuditTexts = typeof english;
export const t = catalogue('audit', english);
