/** What the tests need of an identity provider, whoever wrote it. */
import type { Page } from '@playwright/test';
import type { Name } from '../people';

export interface IdentityProvider {
  issuer: string;
  /** What an operator sets for it, as environment variables of the server. */
  settings: Readonly<Record<string, string>>;
  /** Whom else its tokens could be made for: settings under which the server refuses them. */
  otherAudience: Readonly<Record<string, string>>;
  /**
   * Does what it asks of somebody whom it knows already, in a new tab, which has no ID token of the session to show; null
   * when it asks nothing and continues the session by itself.
   */
  continueInNewTab: ((page: Page) => Promise<void>) | null;
  /** Fills in its sign-in form. */
  enterPassword: (page: Page, name: Name) => Promise<void>;
  /** Does what it asks of somebody who signs out. */
  confirmSignOut: (page: Page) => Promise<void>;
  /** Whether it still answers for an access token; null where its tokens speak for themselves. */
  answersFor: ((token: string) => Promise<boolean>) | null;
  /** Signs with another key from now on, and forgets the one before. */
  rotateKeys: () => Promise<void>;
  stop: () => Promise<void>;
}

/** The addresses that it lets people come back to. */
export const callbacks = (origins: readonly string[]): string[] =>
  origins.flatMap(origin => ['callback', 'popup.html', 'silent.html'].map(page => `${origin}/auth/${page}`));

export const signedOutPages = (origins: readonly string[]): string[] => origins.map(origin => `${origin}/signed-out`);
