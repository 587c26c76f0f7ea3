import { formatCount } from '../format';
import { defineMessages } from '../messages';

export interface EntryValues {
  /** Changed object. */
  readonly subject: string;
  /** Null if there was none. */
  readonly before: (field: string) => string | null;
  readonly after: (field: string) => string | null;
  /** Null if other fields changed too. */
  readonly afterOnly: (field: string) => string | null;
  /** True if the field is set after the change. */
  readonly isSet: (field: string) => boolean;
}

const english = {
  title: 'Audit log',
  description: 'A record of who changed what, and when. The settings state how long it is kept.',
  forAdministrators: 'Administrators only',
  loading: 'Loading audit log',
  empty: 'No entries yet',
  emptyText: 'Every change to this workspace appears here.',
  noMatch: 'No entries match',
  noMatchText: 'Change the filter, or show all entries.',
  showAll: 'Show all entries',
  entriesOf: (day: string) => `Audit entries of ${day}, newest first`,
  together: (sentence: string, more: number) => `${sentence}, and ${formatCount(more)} more like this`,
  times: (first: string, last: string) => (first === last ? last : `${first} to ${last}`),
  changes: 'Changes',
  became: 'changed to',
  filters: 'Filters',
  search: 'Search audit log',
  searchPlaceholder: 'Name or value',
  by: 'Changed by',
  anyone: 'Anyone',
  action: 'Action',
  anyAction: 'Any action',
  from: 'From',
  to: 'To',
  export: 'Export CSV',
  exportTooLong: (count: string) =>
    `The file contains the newest ${count} entries. Choose a shorter range for the others.`,
  /** The names of values by field. Other values are texts, numbers and times. */
  values: {
    accentColor: { page: 'from the page' },
    buttonRadius: { page: 'from the page' },
    fontFamily: { page: 'from the page' },
    popoverRadius: { page: 'from the page' },
    showStepCount: { true: 'yes', false: 'no' },
    // The values in lower case are those of entries that earlier versions have stored.
    activeRuns: { END: 'end', CONTINUE: 'continue', end: 'end', 'go on': 'continue' },
    algorithm: { HS256: 'a secret (HS256)', EDDSA: 'a public key (EdDSA)' },
    allowHttp: { true: 'yes', false: 'no' },
    endsAt: { none: 'none' },
    goal: { none: 'none' },
    identityMode: { OFF: 'off', OPTIONAL: 'optional', REQUIRED: 'required' },
    reviewRequired: { true: 'yes', false: 'no' },
    startsAt: { none: 'none' },
    state: { LIVE: 'live', PAUSED: 'paused', ENDED: 'stopped' },
    tester: { true: 'yes', false: 'no' },
  } as Readonly<Record<string, Readonly<Record<string, string>>>>,
  /** The names of fields, by their names in stored entries. */
  fields: {
    rolloutPercent: 'Rollout',
    holdoutPercent: 'Holdout',
    goal: 'Goal',
    startsAt: 'Starts',
    endsAt: 'Ends',
    activeRuns: 'Active runs',
    revision: 'Revision',
    from: 'From',
    note: 'Note',
    site: 'Site',
    sites: 'Sites',
    origins: 'Allowed origins',
    allowHttp: 'http allowed',
    identityMode: 'Signed IDs',
    algorithm: 'Algorithm',
    cooldownHours: 'Cooldown (hours)',
    key: 'Key',
    when: 'Condition',
    name: 'Name',
    slug: 'Slug',
    title: 'Title',
    state: 'State',
    role: 'Role',
    tester: 'Test user',
    tour: 'Tour',
    visitors: 'Visitors',
    firstSeenFrom: 'First seen from',
    firstSeenUntil: 'First seen before',
    default: 'Default',
    expiresAt: 'Valid until',
    reviewRequired: 'Review required',
    commentBy: 'Comment by',
    reviewer: 'Reviewer',
    events: 'Events',
    runs: 'Runs',
    visitorDays: 'Visitors (days)',
    runDays: 'Run events (days)',
    auditDays: 'Audit entries (days)',
    openInvitations: 'Pending invitations',
    accessTokens: 'Access tokens',
    overlayColor: 'Dimming color',
    overlayOpacity: 'Dimming',
    stagePadding: 'Space around the element',
    stageRadius: 'Rounded corners of the highlight',
    popoverOffset: 'Distance of the popover',
    popoverWidth: 'Popover width',
    animationMs: 'Animation',
    accentColor: 'Accent color',
    popoverRadius: 'Rounded corners of the popover',
    buttonRadius: 'Rounded corners of the buttons',
    fontFamily: 'Font',
    showStepCount: 'Step number shown',
  },
  nouns: {
    comment: 'Comments',
    identity: 'Identity keys',
    invitation: 'Invitations',
    member: 'Members',
    release: 'Releases',
    revision: 'Reviews',
    segment: 'Segments',
    site: 'Sites',
    theme: 'Themes',
    token: 'Access tokens',
    tour: 'Tours',
    visitor: 'Visitors',
    workspace: 'Workspace',
  },
  actions: {
    'comment.delete': 'Delete comment',
    'comment.reply.delete': 'Delete reply',
    'identity.create': 'Add identity key',
    'identity.revoke': 'Revoke identity key',
    'invitation.accept': 'Accept invitation',
    'invitation.create': 'Invite',
    'invitation.renew': 'Renew link',
    'invitation.revoke': 'Revoke invitation',
    'member.claim': 'Role from identity provider',
    'member.first': 'First administrator',
    'member.leave': 'Leave',
    'member.remove': 'Remove member',
    'member.role': 'Change role',
    'release.adjust': 'Change settings',
    'release.end': 'Stop',
    'release.pause': 'Pause',
    'release.resume': 'Resume',
    'release.rollback': 'Roll back',
    'revision.return': 'Request changes or withdraw request',
    'revision.submit': 'Request review',
    'segment.create': 'Create segment',
    'segment.delete': 'Delete segment',
    'segment.update': 'Change segment',
    'site.create': 'Add site',
    'site.key.rotate': 'Replace site key',
    'site.update': 'Change site',
    'theme.create': 'Add theme',
    'theme.default': 'Make default',
    'theme.delete': 'Delete theme',
    'theme.update': 'Change theme',
    'token.create': 'Create access token',
    'token.revoke': 'Revoke access token',
    'tour.archive': 'Archive tour',
    'tour.create': 'Create tour',
    'tour.duplicate': 'Duplicate tour',
    'tour.release': 'Release tour',
    'tour.rename': 'Rename tour',
    'tour.restore': 'Restore tour',
    'visitor.erase': 'Erase visitor',
    'visitor.export': 'Export visitor',
    'visitor.purge': 'Remove visitors',
    'visitor.reset': 'Reset visitor',
    'visitor.tester': 'Assign test user',
    'workspace.create': 'Create workspace',
    'workspace.rename': 'Rename workspace',
    'workspace.retention': 'Set data retention',
    'workspace.review': 'Require reviews',
  },
  sentences: {
    'comment.delete': ({ subject, before }: EntryValues) =>
      `deleted a comment by ${before('commentBy')} on “${subject}”`,
    'comment.reply.delete': ({ subject, before }: EntryValues) =>
      `deleted a reply by ${before('commentBy')} to a comment on “${subject}”`,
    'identity.create': ({ subject, after }: EntryValues) =>
      `added ${after('algorithm')} to the site “${subject}” to verify signed IDs`,
    'identity.revoke': ({ subject, before }: EntryValues) =>
      `revoked ${before('algorithm')} that verified signed IDs of the site “${subject}”`,
    'invitation.accept': ({ after }: EntryValues) => `accepted an invitation and joined with the ${after('role')} role`,
    'invitation.create': ({ subject, after }: EntryValues) => `invited ${subject} with the ${after('role')} role`,
    'invitation.renew': ({ subject, after }: EntryValues) =>
      `created a new link for the invitation of ${subject}, valid until ${after('expiresAt')}`,
    'invitation.revoke': ({ subject }: EntryValues) => `revoked the invitation of ${subject}`,
    'member.claim': ({ before, after }: EntryValues) =>
      after('role') === null
        ? `lost the ${before('role')} role, because the identity provider no longer grants it`
        : `got the ${after('role')} role from the identity provider`,
    'member.first': ({ after }: EntryValues) =>
      `got the ${after('role')} role as the first account of this installation`,
    'member.leave': (): string => 'left the workspace',
    'member.remove': ({ subject }: EntryValues) => `removed ${subject} from the workspace`,
    'member.role': ({ subject, after }: EntryValues) => `gave ${subject} the ${after('role')} role`,
    'release.adjust': ({ subject, after }: EntryValues) =>
      `changed the settings of the release of “${subject}” on ${after('site')}`,
    'release.end': ({ subject, after }: EntryValues) => `stopped “${subject}” on ${after('site')}`,
    'release.pause': ({ subject, after }: EntryValues) => `paused “${subject}” on ${after('site')}`,
    'release.resume': ({ subject, after }: EntryValues) => `resumed “${subject}” on ${after('site')}`,
    'release.rollback': ({ subject, after }: EntryValues) =>
      `rolled back “${subject}” on ${after('site')} to revision ${after('revision')}`,
    'revision.return': ({ subject, after }: EntryValues) =>
      `ended the review of revision ${after('revision')} of “${subject}” without releasing it`,
    'revision.submit': ({ subject, after }: EntryValues) =>
      after('reviewer') === null
        ? `requested a review of revision ${after('revision')} of “${subject}”`
        : `requested a review of revision ${after('revision')} of “${subject}” from ${after('reviewer')}`,
    'segment.create': ({ subject }: EntryValues) => `created the segment “${subject}”`,
    'segment.delete': ({ subject }: EntryValues) => `deleted the segment “${subject}”`,
    'segment.update': ({ subject }: EntryValues) => `changed the segment “${subject}”`,
    'site.create': ({ subject }: EntryValues) => `added the site “${subject}”`,
    'site.key.rotate': ({ subject }: EntryValues) => `replaced the site key of “${subject}”`,
    'site.update': ({ subject, afterOnly }: EntryValues) => {
      const mode = afterOnly('identityMode');
      return mode === null ? `changed the site “${subject}”` : `set signed IDs of the site “${subject}” to “${mode}”`;
    },
    'theme.create': ({ subject }: EntryValues) => `added the theme “${subject}”`,
    'theme.default': ({ subject }: EntryValues) => `made “${subject}” the default theme`,
    'theme.delete': ({ subject }: EntryValues) => `deleted the theme “${subject}”`,
    'theme.update': ({ subject }: EntryValues) => `changed the theme “${subject}”`,
    'token.create': ({ subject, after }: EntryValues) =>
      `created the access token “${subject}” with the ${after('role')} role, valid until ${after('expiresAt')}`,
    'token.revoke': ({ subject }: EntryValues) => `revoked the access token “${subject}”`,
    'tour.archive': ({ subject }: EntryValues) => `archived the tour “${subject}”`,
    'tour.create': ({ subject }: EntryValues) => `created the tour “${subject}”`,
    'tour.duplicate': ({ subject, after }: EntryValues) => `duplicated the tour “${after('from')}” as “${subject}”`,
    'tour.release': ({ subject, after }: EntryValues) =>
      `released revision ${after('revision')} of “${subject}” to ${after('sites')}`,
    'tour.rename': ({ subject, after }: EntryValues) => `renamed the tour “${subject}” to “${after('title')}”`,
    'tour.restore': ({ subject }: EntryValues) => `restored the tour “${subject}”`,
    'visitor.erase': ({ subject }: EntryValues) => `erased the visitor ${subject}`,
    'visitor.export': ({ subject }: EntryValues) => `exported the data of the visitor ${subject}`,
    'visitor.purge': ({ subject, before }: EntryValues) => `removed ${before('visitors')} visitors from “${subject}”`,
    'visitor.reset': ({ subject, before }: EntryValues) =>
      before('tour') === null
        ? `reset all tours for the visitor ${subject}`
        : `reset the tour “${before('tour')}” for the visitor ${subject}`,
    'visitor.tester': ({ subject, isSet }: EntryValues) =>
      isSet('tester') ? `made the visitor ${subject} their test user` : `released the test user ${subject}`,
    'workspace.create': ({ subject }: EntryValues) => `created the workspace “${subject}”`,
    'workspace.rename': ({ subject, after }: EntryValues) =>
      `renamed the workspace from “${subject}” to “${after('name')}”`,
    'workspace.retention': ({ subject }: EntryValues) => `changed the data retention of “${subject}”`,
    'workspace.review': ({ isSet }: EntryValues): string =>
      isSet('reviewRequired') ? 'required a review before each release' : 'allowed releases without a review',
  },
};

export type AuditTexts = typeof english;
export const t = defineMessages('audit', english);
