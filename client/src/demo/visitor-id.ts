// The anonymous id by which the server recognizes a browser at its next visit (`VisitorInput.anonymousId`).

import { v4 as uuidv4 } from 'uuid';

const KEY = 'waypost.visitor';

/** Returns the browser's id, which is created at the first call. Without storage, each page has a different id. */
export function visitorId(): string {
  try {
    const stored = localStorage.getItem(KEY);
    if (stored) return stored;
  } catch {
    return uuidv4();
  }
  return newVisitor();
}

/** Replaces the browser's id, which makes the browser a new visitor. */
export function newVisitor(): string {
  const id = uuidv4();
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Some browsers block storage in private mode. The id is then valid until the page is left.
  }
  return id;
}
