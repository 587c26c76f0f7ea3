import { defineMessages } from '../messages';

const english = {
  light: {
    never: 'Not installed yet',
    live: 'Installed, seen just now',
    quiet: (when: string) => `Installed, seen ${when}`,
  },
  origins: {
    label: 'Web addresses',
    hint: 'Where its pages are, one per line: https:// and the host, such as https://app.example.com, or http://localhost:3000 while you build. Pages from elsewhere cannot use the key.',
    wrong: (line: string) =>
      `“${line}” is not where a site can be: write https:// and a host, without a path. http is for localhost only.`,
    page: (line: string, origin: string) =>
      `“${line}” is the address of one page. Write where all of them are: ${origin}.`,
  },
  events: {
    title: 'Events',
    description:
      'What its pages told of in the last 90 days. A tour can begin with one, a step can wait for one, and a release can lead to one.',
    loading: 'Loading the events',
    none: 'None yet. A line in a page tells of one:',
    demo: 'The demo page tells of it.',
    heard: 'Your pages have told of this event.',
    unheard:
      'No page has told of this event in the last 90 days. Look for a typing mistake, or add the line to your page.',
  },
  create: {
    title: 'New site',
    description: 'It gets a key of its own.',
    example: 'Production',
    submit: 'Create site',
  },
  list: {
    title: 'Sites',
    new: 'New site',
    description: 'The places where tours play. Production, staging and the documentation are three sites.',
    loading: 'Loading the sites',
    empty: 'No sites yet',
    emptyText: 'Add the site that your tours should play on. It gets a key, with which its pages ask for them.',
    own: 'Waypost itself',
  },
  page: {
    loading: 'Loading the site',
    installed: (when: string) => `, installed ${when}`,
    pages: 'Pages',
    ownPages: 'This site is Waypost’s own pages.',
    pagesText:
      'Its pages ask for their tours with the key below. The light above turns green when one is heard of, the demo page included.',
    playDemo: 'Play its tours on the demo page',
    demoElsewhere: (origin: string) =>
      `The demo page is at ${origin}, which is not among the site’s web addresses yet.`,
    allowDemo: 'Add it to the web addresses',
    key: 'Key',
    quietHours: 'Quiet hours',
    quietHint: 'After a tour came by itself, no other one does for so many hours. 0: one after the other.',
    keyHint: 'Names the site; it is no secret. Pages at other web addresses cannot use it.',
    copyKey: 'Copy the key',
    replaceKey: 'Replace the key',
    replaceTitle: 'Replace the key?',
    replaced: 'The site has a new key. Put it into its pages.',
    replaceText: 'Pages that still send the old key play no tours any more, from this moment on.',
    saved: 'The site is saved.',
    details: 'Details',
    save: 'Save site',
  },
};

export type SiteTexts = typeof english;
export const t = defineMessages('site', english);
