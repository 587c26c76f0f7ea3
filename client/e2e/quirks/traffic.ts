/** Records and counts the requests of a story, and checks that its tokens are useless after a sign-out. */
import { expect, type Page, type Request } from '@playwright/test';
import { fullNames, type Name } from '../people';
import type { Waypost } from '../servers';

/** Time in which a page must show a result or a message with a next step. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** Maximum numbers per step. Correct behavior needs about half. */
const MAX_NAVIGATIONS = 10;
const MAX_PROVIDER_REQUESTS = 40;

/** Maximum number of navigations in a story, also within the application. Correct behavior needs about half. */
const maxNavigations = (steps: number): number => 30 + 5 * steps;

/** Close code of a WebSocket whose token is rejected (graphql-transport-ws). */
const FORBIDDEN = 4403;

export class Traffic {
  refreshToken: string | null = null;
  readonly #page: Page;
  readonly #waypost: Waypost;
  readonly #person: () => Name;
  #navigations = 0;
  #navigationsOfStory = 0;
  #providerRequests = 0;
  #foreignData: string[] = [];
  /** Values of the `Authorization` header that pages have sent to the server. */
  #credentials = new Set<string>();
  /** Body of a request for the account. */
  #viewerRequest = '';

  constructor(page: Page, waypost: Waypost, person: () => Name) {
    this.#page = page;
    this.#waypost = waypost;
    this.#person = person;
  }

  beginStep(): void {
    this.#navigations = 0;
    this.#providerRequests = 0;
  }

  check(step: string, steps: number): void {
    expect(this.#foreignData, `${step}: data of other people`).toEqual([]);
    expect(this.#navigations, `${step}: navigations`).toBeLessThanOrEqual(MAX_NAVIGATIONS);
    expect(this.#providerRequests, `${step}: requests to the provider`).toBeLessThanOrEqual(MAX_PROVIDER_REQUESTS);
    expect(this.#navigationsOfStory, `${step}: navigations of the story`).toBeLessThanOrEqual(maxNavigations(steps));
  }

  watch(): void {
    this.#page.context().on('request', request => this.#onRequest(request));
    this.#page.context().on('response', async response => {
      const request = response.request();
      const { pathname } = new URL(response.url());
      const body = ['/token', '/graphql'].includes(pathname) && request.method() === 'POST' ? response.text() : null;
      const text = await body?.catch(() => '');
      if (!text) return;
      if (pathname === '/token') this.refreshToken = /"refresh_token":"([^"]+)"/.exec(text)?.[1] ?? this.refreshToken;
      else if ((request.postData() ?? '').includes('"operationName":"Viewer"')) this.#checkViewer(text);
    });
    const watch = (page: Page) =>
      page.on('framenavigated', frame => {
        if (frame.parentFrame() === null) this.#navigationsOfStory += 1;
      });
    watch(this.#page);
    this.#page.context().on('page', watch);
  }

  #onRequest(request: Request): void {
    if (request.url().startsWith(this.#waypost.provider)) this.#providerRequests += 1;
    const { authorization } = request.headers();
    if (authorization !== undefined && request.url().startsWith(this.#waypost.origin))
      this.#credentials.add(authorization);
    const body = request.postData() ?? '';
    if (body.includes('"operationName":"Viewer"')) this.#viewerRequest = body;
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) this.#navigations += 1;
  }

  #checkViewer(response: string): void {
    const others = Object.entries(fullNames).filter(([name]) => name !== this.#person());
    const foreign = others.filter(([name, fullName]) => response.includes(fullName) || response.includes(`"${name}@`));
    this.#foreignData.push(...foreign.map(([name]) => `data of ${name} for ${this.#person()}`));
  }

  /** Returns the tokens and the data of the person that the browser still stores for Waypost. */
  async tracesIn(page: Page): Promise<string[]> {
    const stored = await page.evaluate(async () => {
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      const cached = await Promise.all((await caches.keys()).map(async key => (await caches.open(key)).keys()));
      const urls = cached.flat().map(({ url }) => url);
      return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, databases, urls, document.cookie]);
    });
    const cookies = JSON.stringify(await this.#page.context().cookies(this.#waypost.origin));
    const tokens = [...this.#credentials].map(credentials => credentials.split(' ')[1] ?? '');
    const data = [fullNames[this.#person()], `${this.#person()}@`, `"${this.#person()}"`, 'access_token', '/graphql'];
    return [...tokens, ...data].filter(trace => stored.includes(trace) || cookies.includes(trace));
  }

  /** Checks that the server rejects all tokens that pages have sent. */
  async checkAccessTokens(): Promise<void> {
    for (const authorization of this.#credentials) {
      const headers = { 'content-type': 'application/json', authorization };
      const replay = async () => {
        const init = { method: 'POST', headers, body: this.#viewerRequest };
        return (await fetch(`${this.#waypost.origin}/graphql`, init)).status;
      };
      // 503 until the server has loaded a new key of a provider that was away.
      await expect.poll(replay, { message: 'replay of an access token', timeout: ANSWER_TIMEOUT_MS }).not.toBe(503);
      expect(await replay(), 'replay of an access token').toBe(401);
      const code = await this.#page.evaluate(replayInSocket, authorization);
      expect(code, 'replay of an access token in a WebSocket').toBe(FORBIDDEN);
    }
    this.#credentials.clear();
  }

  async checkRefreshToken(refreshToken: string | null): Promise<void> {
    if (refreshToken === null) return;
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: 'waypost',
    });
    const response = await fetch(`${this.#waypost.provider}/token`, { method: 'POST', body });
    expect(response.status, 'replay of the refresh token').toBe(400);
  }
}

/** Sends credentials to the server in a WebSocket. Returns the close code, or 0 if the server accepts them. */
function replayInSocket(authorization: string): Promise<number> {
  return new Promise(resolve => {
    const socket = new WebSocket('/graphql', 'graphql-transport-ws');
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
    );
    socket.addEventListener('message', () => resolve(0));
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
}
