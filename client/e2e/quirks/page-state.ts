import type { Page } from '@playwright/test';

export interface PageState {
  url: string;
  text: string;
  hasAccount: boolean;
  account: string | null;
  messages: string[];
  /** Labels of the buttons and links that the user can use next, besides those of the navigation. */
  actions: string[];
  offersSignIn: boolean;
  tokens: string | null;
}

export async function stateOf(page: Page): Promise<PageState> {
  const state = await page.evaluate(() => {
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const visible = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isVisible);
    const isEnabled = (element: HTMLElement) =>
      !element.matches(':disabled, [aria-disabled="true"], [aria-busy="true"]') && !element.closest('[inert]');
    const label = (element: HTMLElement) => element.getAttribute('aria-label') ?? element.innerText.trim();
    const account = visible('button[aria-label^="Account menu"]')[0];
    const actions = visible(':is(main, [role=dialog], [role=alert]) :is(a[href], button)').filter(isEnabled).map(label);
    const stored = Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.user:'))?.[1];
    const user = stored === undefined ? null : (JSON.parse(String(stored)) as Record<string, unknown>);
    return {
      text: document.body?.innerText.trim().slice(0, 400) ?? '',
      hasAccount: account !== undefined,
      account: account?.getAttribute('aria-label')?.split(' of ', 2)[1] ?? null,
      messages: visible('[role=alert], [role=dialog]')
        .map(element => element.innerText.trim())
        .filter(text => text !== ''),
      actions,
      offersSignIn: actions.some(action => action.startsWith('Sign in with ')),
      tokens: user && `${String(user['access_token']).slice(-8)} ${String(user['id_token']).slice(-8)}`,
    };
  });
  // Queries contain codes and tokens.
  return { url: page.url().split('?', 1)[0] ?? '', ...state };
}

/** True if the page offers a next step, or needs no action. */
export function isSettled({ text, hasAccount, messages, actions, offersSignIn }: PageState): boolean {
  if (text === '') return false;
  if (messages.length > 0) return actions.length > 0;
  // A page that waits for a window offers to continue without it.
  return hasAccount || offersSignIn || actions.includes('Continue in this tab');
}

export const isSignedIn = ({ hasAccount, messages, tokens }: PageState): boolean =>
  hasAccount && tokens !== null && messages.length === 0;

export const isExplained = ({ text, messages, actions }: PageState): boolean =>
  text !== '' && messages.length > 0 && actions.length > 0;
