/** Runs a scenario in a browser and checks the invariants of a sign-in after each step. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { enterPassword, fullNames, type Name, openRenewal, type RenewalButton, renewSession } from '../people';
import type { Waypost } from '../servers';
import { isExplained, isSettled, isSignedIn, type PageState, stateOf } from './page-state';
import { canSignIn, describeFault, type Fault, INSTALLATIONS, type Scenario, type Step, type Way } from './scenario';
import { ANSWER_TIMEOUT_MS, Traffic } from './traffic';

/** Time for a change of the page that needs no request without a response. */
const INTERVALS_MS = [100];

/** A sleep that ends after a session of 5 minutes. */
const SLEEP_MS = 305_000;

const inThisTab = /^Sign in with .+(?<!new window)$/;
const inWindow = /in a new window$/;
/** Without a name, if the provider has none. */
const accountMenu = /^Account menu/;

/**
 * `asks`: the page offers to sign in again. `explained`: it shows a message with a next step. `waits`: it waits for a
 * window, and offers to continue without it. `error page`: the tab shows an error page of the provider.
 */
export type Outcome = 'works' | 'asks' | 'explained' | 'waits' | 'error page' | 'not offered';

/** Returns the time limit of a story, by the number of answers that its steps wait for. */
export function budgetOf({ signIn, steps }: Scenario): number {
  const waits = [signIn, ...steps].map(({ fault }) => (fault === null ? 2 : 5));
  // Both sign-ins without a fault, and the sign-out.
  return ANSWER_TIMEOUT_MS * waits.reduce((sum, each) => sum + each, 6);
}

/** Runs a scenario, and sets the outcome of each step by its name. */
export async function runScenario(
  page: Page,
  waypost: Waypost,
  scenario: Scenario,
  outcomes = new Map<string, Outcome>(),
): Promise<void> {
  await new Story(page, waypost, scenario, outcomes).run();
}

class Story {
  readonly #page: Page;
  readonly #context: BrowserContext;
  readonly #waypost: Waypost;
  readonly #scenario: Scenario;
  readonly #outcomes: Map<string, Outcome>;
  #person: Name;
  /** False after a step that ended the session of the provider. */
  #providerHasSession = false;
  readonly #traffic: Traffic;
  #step = '';

  constructor(page: Page, waypost: Waypost, scenario: Scenario, outcomes: Map<string, Outcome>) {
    this.#page = page;
    this.#context = page.context();
    this.#waypost = waypost;
    this.#scenario = scenario;
    this.#outcomes = outcomes;
    this.#person = scenario.person;
    this.#traffic = new Traffic(page, waypost, () => this.#person);
  }

  async run(): Promise<void> {
    const { signIn, steps, nextPerson, refreshLife } = this.#scenario;
    await this.#waypost.control({ life: 300, refreshLife });
    await this.#endFault();
    this.#traffic.watch();
    await this.#context.clock.install();
    const outcome = await this.#signIn(signIn.way, signIn.fault);
    this.#outcomes.set(signIn.way, outcome);
    if (!canSignIn(this.#scenario)) return;
    for (const step of steps) this.#outcomes.set(step.action, await this.#do(step));
    await this.#signOut();
    this.#outcomes.set('sign out', 'works');
    this.#person = nextPerson;
    this.#begin(`sign in as ${nextPerson} after the sign-out`);
    this.#outcomes.set('next person', await this.#signIn('redirect', null));
    await expect(this.#page.locator('body')).not.toContainText(fullNames[this.#scenario.person]);
  }

  #begin(step: string): void {
    this.#step = step;
    this.#traffic.beginStep();
  }

  async #beginFault(fault: Fault | null): Promise<void> {
    if (fault === null) return;
    const quirks = 'quirks' in fault ? fault.quirks : {};
    await this.#waypost.control({ ...fault, quirks: { ...this.#quirks, ...quirks } });
  }

  async #endFault(): Promise<void> {
    await this.#waypost.control({ outage: false, slow: 0, quirks: this.#quirks });
  }

  get #quirks() {
    const { installation, quirks } = this.#scenario;
    return { ...quirks, ...INSTALLATIONS[installation].quirks };
  }

  /** Signs in, also after a fault. Returns the outcome of the first attempt. */
  async #signIn(way: Way, fault: Fault | null): Promise<Outcome> {
    const page = this.#page;
    this.#begin(`sign in by ${way}${fault === null ? '' : ` (${describeFault(fault)})`}`);
    await page.goto('/workspaces');
    await this.#expectState(page, 'the page offers to sign in', state => state.offersSignIn);
    let outcome: Outcome | null = null;
    if (fault !== null) {
      await this.#beginFault(fault);
      const result = await this.#trySignIn(page, way);
      await this.#expectAnswered(result);
      await this.#endFault();
      // The person closes a window that does not load. Playwright could not advance its clock.
      await Promise.all(this.#context.pages().map(other => (other === page ? null : other.close())));
      outcome = result.url.startsWith(this.#waypost.origin) ? outcomeOf(result) : 'error page';
      if (result.hasAccount) return outcome;
      this.#begin(`sign in by ${way} after ${describeFault(fault)}`);
      await page.goto('/workspaces');
      await this.#expectState(page, 'the page is usable', isSettled);
      if ((await stateOf(page)).hasAccount) return outcome;
    }
    await this.#trySignIn(page, way);
    const state = canSignIn(this.#scenario)
      ? await this.#expectState(page, 'the account is signed in', isSignedIn)
      : await this.#expectState(page, 'the page explains why nobody can sign in', isExplained);
    this.#providerHasSession = true;
    this.#checkCounts();
    return outcome ?? outcomeOf(state);
  }

  /** Attempts to sign in, and returns the state of the page after that. */
  async #trySignIn(page: Page, way: Way): Promise<PageState> {
    const opened = way === 'redirect' ? null : page.waitForEvent('popup');
    await page
      .getByRole('button', { name: way === 'redirect' ? inThisTab : inWindow })
      .first()
      // Playwright would wait for the page of a provider that hangs.
      .click({ noWaitAfter: true });
    let provider = (await opened) ?? page;
    if (way === 'closed window') {
      // It closes itself if the sign-in cannot start.
      await provider.waitForLoadState().catch(() => {});
      await provider.close();
      // The sign-in can have failed or succeeded before the window was closed.
      await this.#waitFor(async () => !(await this.#stateOf(page)).offersSignIn || isResult(await this.#stateOf(page)));
      const { hasAccount, actions } = await this.#stateOf(page);
      if (hasAccount) return this.#stateOf(page);
      const label = actions.find(action => action === 'Continue in this tab') ?? inThisTab;
      await page.getByRole('button', { name: label }).first().click({ noWaitAfter: true });
      provider = page;
    }
    // The sign-in can fail before the form, and a provider with a session shows none.
    const hasAnswer = await this.#waitFor(
      async () =>
        provider.isClosed() ||
        (await this.#hasForm(provider)) ||
        (await this.#isUnavailablePage(provider)) ||
        isResult(await this.#stateOf(page)),
    );
    if (!hasAnswer && provider === page) await this.#stopLoading(page);
    if (await this.#hasForm(provider)) await enterPassword(provider, this.#person);
    await this.#waitFor(async () => (await this.#isUnavailablePage(provider)) || isResult(await this.#stateOf(page)));
    return this.#stateOf(page);
  }

  /**
   * Stops a navigation to a provider that hangs, like the browser's button. Chromium suspends scripts of tests
   * meanwhile.
   */
  async #stopLoading(page: Page): Promise<void> {
    const session = await this.#context.newCDPSession(page);
    await session.send('Page.stopLoading');
    await session.detach();
  }

  async #hasForm(page: Page): Promise<boolean> {
    if (page.isClosed()) return false;
    // `isVisible` would wait until a window whose first page hangs has loaded.
    return page
      .getByLabel('Password')
      .waitFor({ timeout: 500 })
      .then(
        () => true,
        () => false,
      );
  }

  async #isUnavailablePage(page: Page): Promise<boolean> {
    if (page.isClosed() || this.#isAtWaypost(page) || page.url() === 'about:blank') return false;
    return (await this.#stateOf(page)).text.includes('Service Unavailable');
  }

  #isAtWaypost(page: Page): boolean {
    return page.url().startsWith(this.#waypost.origin);
  }

  async #stateOf(page: Page): Promise<PageState> {
    const empty = {
      text: '',
      hasAccount: false,
      account: null,
      messages: [],
      actions: [],
      offersSignIn: false,
      tokens: null,
    };
    return stateOf(page).catch(() => ({ url: page.isClosed() ? '' : page.url(), ...empty }));
  }

  /** Waits for a condition and returns whether it was met in time. */
  async #waitFor(condition: () => Promise<boolean>): Promise<boolean> {
    return expect
      .poll(condition, { timeout: ANSWER_TIMEOUT_MS, intervals: INTERVALS_MS })
      .toBe(true)
      .then(
        () => true,
        () => false,
      );
  }

  async #expectState(page: Page, expectation: string, holds: (state: PageState) => boolean): Promise<PageState> {
    await this.#waitFor(async () => holds(await this.#stateOf(page)));
    const state = await this.#stateOf(page);
    if (!holds(state)) throw new Error(`${this.#step}: ${expectation}, but after 10 s it is ${JSON.stringify(state)}`);
    return state;
  }

  /** Checks the result of an attempt to sign in. */
  async #expectAnswered(state: PageState): Promise<void> {
    if (!this.#isAtWaypost(this.#page)) await this.#expectState(this.#page, 'the error page is not blank', isNotBlank);
    // A page that waits for a window offers to continue without it.
    else if (!isResult(state) && !state.actions.includes('Continue in this tab'))
      throw new Error(`${this.#step}: no message with a next step after 10 s: ${JSON.stringify(state)}`);
  }

  async #checkPages(): Promise<void> {
    for (const page of this.#context.pages()) {
      if (page.isClosed()) continue;
      if (!this.#isAtWaypost(page)) {
        await this.#expectState(page, 'no page is blank', isNotBlank);
        continue;
      }
      const state = await this.#expectState(page, 'each page has a next step', isSettled);
      const names = [fullNames[this.#person], this.#person, `${this.#person}@waypost.example`];
      if (state.account !== null)
        expect(names, `${this.#step}: the name in the account menu`).toContain(state.account.replace('userinfo-', ''));
    }
    this.#checkCounts();
  }

  #checkCounts(): void {
    this.#traffic.check(this.#step, this.#scenario.steps.length);
  }

  /** Performs a step, and signs in again after a fault. Returns the outcome during the fault. */
  async #do(step: Step): Promise<Outcome> {
    const { action, fault } = step;
    this.#begin(`${action}${fault === null ? '' : ` (${describeFault(fault)})`}`);
    await this.#ensureSignedIn();
    await this.#beginFault(fault);
    const outcome = await this.#perform(step);
    await this.#checkPages();
    if (fault === null) return outcome;
    await this.#endFault();
    this.#begin(`${action} after ${describeFault(fault)}`);
    await this.#ensureSignedIn();
    await this.#checkPages();
    return outcome;
  }

  async #perform({ action, fault }: Step): Promise<Outcome> {
    const page = this.#page;
    switch (action) {
      case 'renew in a frame':
        return this.#renew('Renew session in hidden frame', fault);
      case 'renew with the refresh token':
        return this.#renew('Renew session with refresh token', fault);
      case 'renew in a window':
        return this.#renewInWindow(fault);
      case 'open a second tab':
        return this.#openSecondTab(fault);
      case 'open a tab without a session of the provider':
        await this.#endProviderSession();
        return this.#openSecondTab(fault);
      case 'reload':
        await page.reload();
        return outcomeOf(await this.#expectState(page, 'a reload keeps the session', isSignedIn));
      case 'sleep past the end':
        return this.#sleep();
      case 'add a key':
      case 'replace the keys': {
        await this.#waypost.control({ keys: action === 'add a key' ? 'add' : 'replace' });
        await page.reload();
        const expected = fault === null ? isSignedIn : isSettled;
        return outcomeOf(await this.#expectState(page, 'new keys keep the session', expected));
      }
      case 'end the session of the provider':
        await this.#endProviderSession();
        return outcomeOf(await stateOf(page));
      default:
        return action satisfies never;
    }
  }

  /** Advances the clocks of the pages past the end of the session. */
  async #sleep(): Promise<Outcome> {
    const { tokens } = await stateOf(this.#page);
    await this.#context.clock.fastForward(SLEEP_MS);
    const isRenewed = (state: PageState) => isSignedIn(state) && state.tokens !== tokens;
    const expectation = 'the session is renewed after sleep, or the page says why not';
    return outcomeOf(await this.#expectState(this.#page, expectation, state => isRenewed(state) || isExplained(state)));
  }

  async #endProviderSession(): Promise<void> {
    await this.#context.clearCookies();
    this.#providerHasSession = false;
  }

  /** Signs in again if the last step ended the session, by the step that the page offers. */
  async #ensureSignedIn(): Promise<void> {
    const page = this.#page;
    await page.bringToFront();
    const state = await this.#expectState(page, 'the page has a next step', isSettled);
    if (isSignedIn(state)) return;
    if (state.hasAccount && !state.offersSignIn) {
      // A message about a failed renewal. The session has not ended.
      await page.keyboard.press('Escape');
      // Waiting is the next step that the page offers, because a rejected token is renewed once a minute.
      if (state.messages.some(message => message.includes('in a minute')))
        await this.#context.clock.fastForward(60_000);
      const retry = page.getByRole('button', { name: 'Try again' }).first();
      if (await retry.isVisible()) await retry.click();
      if (await this.#waitFor(async () => isSignedIn(await this.#stateOf(page)))) return;
    }
    if ((await this.#stateOf(page)).offersSignIn) await this.#trySignIn(page, 'redirect');
    else await page.reload();
    await this.#expectState(page, 'signing in again works', isSignedIn);
    this.#providerHasSession = true;
  }

  async #renew(button: RenewalButton, fault: Fault | null): Promise<Outcome> {
    const page = this.#page;
    const { tokens } = await stateOf(page);
    const renewal = await openRenewal(page, button);
    if ((await renewal.getAttribute('aria-disabled')) === 'true') {
      await page.keyboard.press('Escape');
      return 'not offered';
    }
    await renewal.click();
    const byFrame = button.includes('frame');
    const { frameCookies, refreshTokens } = this.#scenario.quirks;
    const mustRenew =
      fault === null &&
      (byFrame
        ? this.#providerHasSession && frameCookies !== 'blocked'
        : refreshTokens !== 'none' && this.#scenario.refreshLife > 1);
    const isRenewed = (state: PageState) => state.tokens !== null && state.tokens !== tokens;
    const state = await this.#expectState(
      page,
      mustRenew ? 'the session is renewed' : 'the session is renewed, or the page says why not',
      result => isRenewed(result) || (!mustRenew && isExplained(result)),
    );
    return isRenewed(state) ? 'works' : 'explained';
  }

  async #openSecondTab(fault: Fault | null): Promise<Outcome> {
    const tab = await this.#context.newPage();
    await tab.goto('/workspaces');
    const mustSignIn = fault === null && this.#providerHasSession && this.#scenario.quirks.frameCookies !== 'blocked';
    const state = await this.#expectState(
      tab,
      'a second tab is signed in or offers it',
      mustSignIn ? isSignedIn : isSettled,
    );
    if (fault !== null || !state.offersSignIn) return outcomeOf(state);
    await this.#trySignIn(tab, 'redirect');
    await this.#expectState(tab, 'a second tab can sign in', isSignedIn);
    this.#providerHasSession = true;
    return outcomeOf(state);
  }

  async #renewInWindow(fault: Fault | null): Promise<Outcome> {
    const page = this.#page;
    const { tokens } = await stateOf(page);
    const opened = page.waitForEvent('popup');
    await renewSession(page, 'Renew session in a window');
    const window = await opened;
    const isRenewed = (state: PageState) => state.tokens !== null && state.tokens !== tokens;
    await this.#waitFor(async () => (await this.#hasForm(window)) || isRenewed(await this.#stateOf(page)));
    if (await this.#hasForm(window)) await enterPassword(window, this.#person);
    if (fault === null) {
      await this.#expectState(page, 'the session is renewed', isRenewed);
      this.#providerHasSession = true;
      return 'works';
    }
    // The user sees the problem in the window. The page must react to closing it.
    const isAnswered = (state: PageState) => isRenewed(state) || isExplained(state);
    if (!(await this.#waitFor(async () => isAnswered(await this.#stateOf(page)))) && !window.isClosed())
      await window.close();
    const state = await this.#expectState(page, 'the session is renewed, or the page says why not', isAnswered);
    return isRenewed(state) ? 'works' : 'explained';
  }

  async #signOut(): Promise<void> {
    const page = this.#page;
    this.#begin('sign out');
    await this.#ensureSignedIn();
    if (!(await this.#chooseSignOut())) {
      // A renewal that the last step interrupted can have used up the refresh token.
      await this.#ensureSignedIn();
      expect(await this.#chooseSignOut(), 'signing out').toBe(true);
    }
    const { refreshToken } = this.#traffic;
    await this.#expectState(page, 'the sign-out returns', ({ url, text }) => {
      return url.startsWith(this.#waypost.origin) && text.includes('You are signed out');
    });
    for (const each of this.#context.pages()) {
      // A window that shows an error page of the provider.
      if (!this.#isAtWaypost(each)) continue;
      const state = await this.#expectState(each, 'all tabs are signed out', ({ hasAccount, tokens, offersSignIn }) => {
        return !hasAccount && tokens === null && offersSignIn;
      });
      expect(state.text).not.toContain(fullNames[this.#person]);
      expect(await this.#traffic.tracesIn(each), 'traces of the account in the browser').toEqual([]);
      if (each !== page) await each.close();
    }
    await page.reload();
    await this.#expectState(
      page,
      'a reload stays signed out',
      ({ hasAccount, offersSignIn }) => !hasAccount && offersSignIn,
    );
    await this.#traffic.checkAccessTokens();
    if (this.#scenario.quirks.revocation === undefined) await this.#traffic.checkRefreshToken(refreshToken);
    await this.#checkPages();
    // The provider shows its form again only if it has taken part in the sign-out.
    await this.#endProviderSession();
  }

  /** Returns false if the menu closes because the session ends. */
  async #chooseSignOut(): Promise<boolean> {
    const page = this.#page;
    await page.getByRole('button', { name: accountMenu }).click();
    return page
      .getByRole('menuitem', { name: 'Sign out' })
      .click({ timeout: ANSWER_TIMEOUT_MS })
      .then(
        () => true,
        () => false,
      );
  }
}

function isResult(state: PageState): boolean {
  return isSignedIn(state) || isExplained(state);
}

function outcomeOf(state: PageState): Outcome {
  if (isSignedIn(state)) return 'works';
  if (state.actions.includes('Continue in this tab')) return 'waits';
  return state.messages.length > 0 ? 'explained' : 'asks';
}

const isNotBlank = ({ text }: PageState): boolean => text !== '';
