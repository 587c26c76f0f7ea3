/**
 * The secret of the invitation with which this tab was opened. It is in the fragment of the link, which is not sent to
 * servers, and is removed from the address immediately. `sessionStorage` keeps it during a full-page sign-in, until the
 * tab is closed or the invitation is accepted or dismissed.
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
