import { defineMessages } from '../messages';

const english = {
  title: 'Demo page · Waypost',
  controls: 'Demo controls',
  tours: 'Tours for this visitor',
  play: (title: string) => `Play “${title}”`,
  newVisitor: 'Come as a new visitor',
  heading: 'Demo page',
  noKey: 'Demo page. Open it from Sites in Waypost to play the tours of a site here.',
  asking: 'Demo page. Asking for tours…',
  playing: 'Demo page. A tour is playing.',
  none: 'Demo page. No tour for this visitor now. Maybe none is released here, they have seen it, or a holdout or rollout leaves them out.',
  lookFor: (visitor: string, name: string) => `To see why, search for ${visitor} under People: that finds “${name}”.`,
  youAre: (name: string) => `Under People you are “${name}”.`,
  seeWhy: 'See why not',
  idle: 'Demo page.',
};

export type DemoTexts = typeof english;
export const t = defineMessages('demo', english);
