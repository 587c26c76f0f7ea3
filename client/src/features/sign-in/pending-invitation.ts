/**
 * The secret of the invitation with which this tab was opened. It comes from the link's fragment, which servers never
 * see and the address loses immediately. `sessionStorage` keeps it during a full-page sign-in, until the invitation is
 * accepted or dismissed.
 */
const STORAGE_KEY = 'waypost.invitation';

export function savePendingInvitation(token: string): void {
  sessionStorage.setItem(STORAGE_KEY, token);
}

export function pendingInvitation(): string | null {
  return sessionStorage.getItem(STORAGE_KEY);
}

export function clearPendingInvitation(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
