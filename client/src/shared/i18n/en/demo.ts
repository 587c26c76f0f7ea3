import { defineMessages } from '../messages';

const english = {
  title: 'Demo page · Waypost',
  controls: 'Demo controls',
  back: 'Back to Waypost',
  tours: 'Tours for this visitor',
  play: (title: string) => `Start “${title}”`,
  newVisitor: 'Start as a new visitor',
  heading: 'Demo page',
  noKey: 'Demo page. Open it from Sites in Waypost to try a site’s tours here.',
  loading: 'Demo page. Loading tours…',
  playing: 'Demo page. A tour is running.',
  noTour:
    'Demo page. No tour for this visitor right now: none is live on this site, they’ve already seen it, or they’re outside the rollout.',
  searchFor: (visitor: string, name: string) =>
    `To see why, search for ${visitor} under Visitors. You’re listed as “${name}”.`,
  listedAs: (name: string) => `You’re listed under Visitors as “${name}”.`,
  seeWhy: 'See why not',
  idle: 'Demo page.',
};

export type DemoTexts = typeof english;
export const t = defineMessages('demo', english);
