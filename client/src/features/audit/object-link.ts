/** The current object that an entry is about. */
import type { Entry } from './entry-text';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Objects {
  readonly tours: readonly { readonly slug: string; readonly title: string }[];
  readonly sites: readonly Named[];
  readonly themes: readonly Named[];
  readonly segments: readonly Named[];
}

export type ObjectLink =
  | { readonly page: 'tour' | 'releases' | 'revisions'; readonly tour: string }
  | { readonly page: 'site' | 'theme' | 'segment' | 'visitor'; readonly id: string }
  | { readonly page: 'members' | 'settings' };

/**
 * Entries have names instead of ids. Returns null unless exactly one object has the name, because a link to the wrong one
 * misleads more than none.
 */
export function objectLink(
  { action, subject }: Pick<Entry, 'action' | 'subject'>,
  objects: Objects,
): ObjectLink | null {
  if (/\.(delete|erase)$/.test(action) && !action.startsWith('comment.')) return null;
  const [noun = ''] = action.split('.');
  const tour = (page: 'tour' | 'releases' | 'revisions'): ObjectLink | null => {
    const [found, other] = objects.tours.filter(({ title }) => title === subject);
    return found && !other ? { page, tour: found.slug } : null;
  };
  const named = (page: 'site' | 'theme' | 'segment', all: readonly Named[]): ObjectLink | null => {
    const [found, other] = all.filter(({ name }) => name === subject);
    return found && !other ? { page, id: found.id } : null;
  };
  switch (noun) {
    case 'tour':
      return tour(action === 'tour.release' ? 'releases' : 'tour');
    case 'release':
      return tour('releases');
    case 'revision':
    case 'comment':
      return tour('revisions');
    case 'site':
    case 'identity':
      return named('site', objects.sites);
    case 'theme':
      return named('theme', objects.themes);
    case 'segment':
      return named('segment', objects.segments);
    case 'visitor':
      return action === 'visitor.purge' ? named('site', objects.sites) : { page: 'visitor', id: subject };
    case 'member':
    case 'invitation':
    case 'token':
      return { page: 'members' };
    case 'workspace':
      return { page: 'settings' };
    default:
      return null;
  }
}

/** Splits a sentence around the subject. Returns null if the sentence does not contain it. */
export function aroundSubject(sentence: string, subject: string): [before: string, after: string] | null {
  const at = subject === '' ? -1 : sentence.indexOf(subject);
  return at === -1 ? null : [sentence.slice(0, at), sentence.slice(at + subject.length)];
}
