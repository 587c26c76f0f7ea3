import type { Page } from '@playwright/test';
import type { Name } from '../people';

export interface IdentityProvider {
  issuer: string;
  settings: Readonly<Record<string, string>>;
  /** The server rejects the tokens. */
  otherAudience: Readonly<Record<string, string>>;
  /**
   * Null if the provider continues the session without interaction. A new tab has no ID token of the existing session.
   */
  continueInNewTab: ((page: Page) => Promise<void>) | null;
  enterPassword: (page: Page, name: Name) => Promise<void>;
  confirmSignOut: (page: Page) => Promise<void>;
  /** Null for self-contained tokens. */
  isTokenActive: ((token: string) => Promise<boolean>) | null;
  rotateKeys: () => Promise<void>;
  stop: () => Promise<void>;
}

export const callbacks = (origins: readonly string[]): string[] =>
  origins.flatMap(origin => ['callback', 'popup.html', 'silent.html'].map(page => `${origin}/auth/${page}`));

export const signedOutPages = (origins: readonly string[]): string[] => origins.map(origin => `${origin}/signed-out`);
