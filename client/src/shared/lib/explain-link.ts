// The way from the demo page to the answer to why no tour plays: whoever opened it from Waypost finds the visitor there.
import { hasFormat } from '../../generated/traitql';
import { paths } from './paths';

const WORKSPACE = 'workspace';

/** The address of the demo page as a page of a site. */
export const demoAddress = (siteKey: string, workspace: string): string =>
  `${paths.play}?${String(new URLSearchParams({ key: siteKey, [WORKSPACE]: workspace }))}`;

/** The page of a visitor, where the gates are asked for the page where they are; null where the address of the demo page names no workspace. */
export function explainLink({ search, href }: Pick<Location, 'search' | 'href'>, participantId: string): string | null {
  const workspace = new URLSearchParams(search).get(WORKSPACE) ?? '';
  if (!hasFormat('SLUG', workspace)) return null;
  const person = paths.person.replace('$workspace', workspace).replace('$person', encodeURIComponent(participantId));
  return `${person}?${String(new URLSearchParams({ page: href }))}`;
}
