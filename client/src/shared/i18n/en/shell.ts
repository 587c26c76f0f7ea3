import { counted, formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  appearance: {
    menu: 'Appearance and language',
    title: 'Appearance',
    device: 'System',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
  },
  demo: {
    label: 'Demo',
    text: 'Demo: the accounts have no passwords. Do not store real data here.',
  },
  commands: {
    search: 'Search',
    palette: 'Search and commands',
    workspaces: 'All workspaces',
    shortcuts: 'Keyboard shortcuts',
    light: 'Switch to light appearance',
    dark: 'Switch to dark appearance',
    device: 'Use system appearance',
    go: 'Go to',
    help: 'Help and appearance',
    explain: 'Explain why a tour doesn’t show',
    explainHelp: 'Choose a visitor. Their page explains why a tour shows or doesn’t.',
  },
  nav: {
    tours: 'Tours',
    themes: 'Themes',
    sites: 'Sites',
    visitors: 'Visitors',
    segments: 'Segments',
    members: 'Members',
    audit: 'Audit log',
    settings: 'Settings',
  },
  frame: {
    brokenTours: (count: number) =>
      counted(count, { one: '# tour with missing elements', other: '# tours with missing elements' }),
    navigation: 'Workspace',
    sourceCode: 'Source code',
    skip: 'Skip to content',
    loadingWorkspace: 'Loading workspace',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    loadingPage: 'Loading page',
    tryNow: 'Try now',
    newVersion: 'A new version is available. Reload to update.',
    reload: 'Reload',
    changesKept: 'Your changes are kept on this device and sent when you’re back online.',
  },
  inbox: {
    title: 'Reviews for you',
    count: (reviews: number) =>
      counted(reviews, { one: '# review is waiting for you', other: '# reviews are waiting for you' }),
    arrived: (name: string, tour: string) => `${name} requested a review of “${tour}”.`,
  },
  waiting: {
    title: 'Reviews',
    forYou: 'Waiting for your review',
    returned: 'Changes requested',
    returnedBy: (name: string, when: string) => `${name} requested changes ${when}`,
    yours: 'Your review requests',
    forOthers: 'Waiting for other reviewers',
    requested: (name: string, when: string) => `${name} requested a review ${when}`,
    requestedFrom: (name: string, reviewer: string, when: string) =>
      `${name} requested a review from ${reviewer} ${when}`,
    revision: (number: number) => `Revision ${formatCount(number)}`,
  },
  switcher: {
    switchFrom: 'Switch workspace, current:',
    yourRole: (role: string) => `Your role: ${role}`,
    workspaces: 'Workspaces',
    all: 'View or create workspaces',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    description: 'Shortcuts available on this screen.',
    singleKeys: 'Single-key shortcuts',
    singleKeysHint: 'Turn off if you dictate text or trigger them by accident.',
  },
  palette: {
    title: 'Search and commands',
    label: 'Search tours, sites, and commands',
    placeholder: 'Search or type a command…',
    commands: 'Commands',
    visitors: (text: string) => `Search visitors for “${text}”`,
    nothing: (text: string) => `No results for “${text}”.`,
    found: (count: number) => `${formatCount(count)} found`,
  },
  notFound: {
    pageTitle: 'Not found',
    back: 'Go to home page',
    renamed: 'It may have been renamed or deleted.',
    things: {
      page: { title: 'Page not found', text: 'This page doesn’t exist, or you don’t have access to it.' },
      workspace: {
        title: 'Workspace not found',
        text: 'This workspace doesn’t exist, or you don’t have access to it.',
      },
      tour: { title: 'Tour not found', text: 'This tour doesn’t exist, or you don’t have access to it.' },
      theme: { title: 'Theme not found', text: 'This theme doesn’t exist, or you don’t have access to it.' },
      segment: { title: 'Segment not found', text: 'This segment doesn’t exist, or you don’t have access to it.' },
      site: { title: 'Site not found', text: 'This site doesn’t exist, or you don’t have access to it.' },
    },
  },
};

export type ShellTexts = typeof english;
export const t = defineMessages('shell', english);
