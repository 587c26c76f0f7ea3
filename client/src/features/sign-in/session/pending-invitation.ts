/**
 * Secret of the invitation that opened this tab, from the link's fragment, which servers never see. Kept during a
 * full-page sign-in.
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
