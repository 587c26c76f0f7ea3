// The anonymous id by which a browser is recognised at its next visit (`ParticipantInput.anonymousId`).

import { v4 as uuidv4 } from 'uuid';

const KEY = 'waypost.visitor';

/** The browser's id, made at the first call. Where the browser keeps nothing, each page has its own. */
export function visitorId(): string {
  try {
    const known = localStorage.getItem(KEY);
    if (known) return known;
  } catch {
    return uuidv4();
  }
  return newVisitor();
}

/** Forgets the browser's id, as if somebody else had come. */
export function newVisitor(): string {
  const id = uuidv4();
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Private modes of some browsers refuse; the id then lives as long as the page.
  }
  return id;
}
