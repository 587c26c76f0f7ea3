import { formatCount } from '../format';
import { defineMessages } from '../messages';

const english = {
  appearance: {
    menu: 'Appearance and language',
    title: 'Appearance',
    device: 'As the device',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
  },
  commands: {
    search: 'Search',
    palette: 'Search and commands',
    workspaces: 'All workspaces',
    shortcuts: 'Keyboard shortcuts',
    light: 'Light appearance',
    dark: 'Dark appearance',
    device: 'Appearance as the device',
    go: 'Go to',
    help: 'Help and appearance',
    explain: 'Explain why no tour plays',
    explainWho: 'Choose a person: their page explains why a tour plays, or not.',
  },
  nav: {
    tours: 'Tours',
    themes: 'Themes',
    sites: 'Sites',
    people: 'People',
    members: 'Members',
    audit: 'Audit',
    settings: 'Settings',
  },
  frame: {
    navigation: 'Workspace',
    sourceCode: 'Source code',
    skip: 'Skip to the content',
    loadingWorkspace: 'Loading the workspace',
    openMenu: 'Open the menu',
    closeMenu: 'Close the menu',
    loadingPage: 'Loading the page',
    tryNow: 'Try now',
    newVersion: 'A new version of Waypost is there. It comes with the next start.',
    reload: 'Reload now',
    keptMeanwhile: 'Your changes are kept on this device and sent when the connection is back.',
  },
  switcher: {
    switchFrom: 'Switch from the workspace',
    youAre: (role: string) => `You are ${role}`,
    workspaces: 'Workspaces',
    all: 'All workspaces, or a new one',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    description: 'What works on this screen.',
    singleKeys: 'Shortcuts of a single key',
    singleKeysHint: 'Turn them off if you dictate, or if keys reach the page by accident.',
  },
  palette: {
    title: 'Search and commands',
    label: 'Search tours, sites and commands',
    placeholder: 'What do you want to do?',
    commands: 'Commands',
    people: (text: string) => `Look for “${text}” among the people`,
    nothing: (text: string) => `Nothing is called anything like “${text}”.`,
    found: (count: number) => `${formatCount(count)} found`,
  },
  notFound: {
    pageTitle: 'Not found',
    back: 'Back to the start',
    renamed: 'It may have been renamed or removed.',
    things: {
      page: { title: 'No such page', text: 'This page does not exist, or you cannot see it.' },
      workspace: { title: 'No such workspace', text: 'This workspace does not exist, or you cannot see it.' },
      tour: { title: 'No such tour', text: 'This tour does not exist, or you cannot see it.' },
      theme: { title: 'No such theme', text: 'This theme does not exist, or you cannot see it.' },
      site: { title: 'No such site', text: 'This site does not exist, or you cannot see it.' },
    },
  },
};

export type ShellTexts = typeof english;
export const t = defineMessages('shell', english);
