// The chunk that the loader loads when a tour starts. A page that was loaded before an update imports it with the
// earlier loader, so the signature of `playerOn` must not change.

import { pageWithElements } from './player/page';
import type { PageFacts } from './player/page-facts';
import { type CreateRun, runsOn } from './player/run';
import { embedRenderer } from './renderer/renderer';
import { textsOf } from './renderer/texts';

/** Returns the player for a page, with the texts of tours and of the renderer in the language of `locale`. */
export const playerOn = (facts: PageFacts, locale: string): CreateRun =>
  runsOn({
    renderer: embedRenderer(textsOf(locale)),
    page: pageWithElements(facts, document),
    // The page declares one language, but a browser has several.
    locales: locale === navigator.language ? navigator.languages : [locale],
  });
