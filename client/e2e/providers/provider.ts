/** Interface of an identity provider under test. */
import type { Page } from '@playwright/test';
import type { Name } from '../people';

export interface IdentityProvider {
  issuer: string;
  /** Server settings for this provider, as environment variables. */
  settings: Readonly<Record<string, string>>;
  /** Settings with a different audience, under which the server rejects this provider's tokens. */
  otherAudience: Readonly<Record<string, string>>;
  /**
   * Completes the interaction that the provider requires in a new tab, which has no ID token of the existing session. Null
   * if the provider continues the session without interaction.
   */
  continueInNewTab: ((page: Page) => Promise<void>) | null;
  /** Fills in and submits the sign-in form. */
  enterPassword: (page: Page, name: Name) => Promise<void>;
  /** Confirms the sign-out, if the provider requires it. */
  confirmSignOut: (page: Page) => Promise<void>;
  /** Returns whether an access token is active. Null for self-contained tokens. */
  isTokenActive: ((token: string) => Promise<boolean>) | null;
  /** Replaces the signing key. */
  rotateKeys: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Redirect URIs of the client. */
export const callbacks = (origins: readonly string[]): string[] =>
  origins.flatMap(origin => ['callback', 'popup.html', 'silent.html'].map(page => `${origin}/auth/${page}`));

export const signedOutPages = (origins: readonly string[]): string[] => origins.map(origin => `${origin}/signed-out`);
