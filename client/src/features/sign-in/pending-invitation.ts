/**
 * The secret of the invitation that this tab was opened with. It comes behind the `#` of a link, where no server sees it, leaves the
 * address at once, and outlives a sign-in that leaves the page. Gone with the tab, or when the invitation is of no interest any more.
 */
const KEPT = 'waypost.invitation';

export function savePendingInvitation(token: string): void {
  sessionStorage.setItem(KEPT, token);
}

export function pendingInvitation(): string | null {
  return sessionStorage.getItem(KEPT);
}

export function clearPendingInvitation(): void {
  sessionStorage.removeItem(KEPT);
}
