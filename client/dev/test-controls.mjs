// POST /test accepts a JSON object with the fields below; GET /test returns them and the recorded requests.

import { ACCOUNTS } from './accounts.mjs';
import { Quirks } from './quirks.mjs';
import { bodyOf } from './request-body.mjs';
import { newSigningKey } from './signing-keys.mjs';

const MAX_LOG_LENGTH = 500;

export class Faults {
  /** Seconds. */
  life = 300;
  /** Seconds. */
  refreshLife = 86_400;
  /** Of the sign-in in access tokens, in seconds. */
  authAge = 0;
  outage = false;
  /** Cross-Origin-Opener-Policy. */
  isolated = false;
  /** Sets cookies in frames on other sites. */
  crossSite = false;
  /** Milliseconds before each response. */
  slow = 0;
  quirks = new Quirks();

  /** @type {Map<string, string[]>} */
  #roles = new Map(ACCOUNTS.map(({ name, role }) => [name, [role.toLowerCase()]]));
  /** @type {{ method: string, path: string, prompt: string | null, grant: string | null, status: number | null }[]} */
  #log = [];
  #keys;
  #rebuild;

  /**
   * @param {import("./signing-keys.mjs").Keys} keys
   * @param {() => void} rebuild recreates the provider after a change of keys or of the issuer
   */
  constructor(keys, rebuild) {
    this.#keys = keys;
    this.#rebuild = rebuild;
  }

  rolesOf(account) {
    return this.#roles.get(account.name) ?? [];
  }

  /** If `crossSite` is set. On loopback, this does not require https. */
  rewriteCookies(response) {
    if (!this.crossSite) return;
    const set = response.setHeader.bind(response);
    response.setHeader = (name, value) => {
      const isCookie = name.toLowerCase() === 'set-cookie';
      return set(name, isCookie ? [value].flat().map(allowCrossSite) : value);
    };
  }

  delay() {
    return this.slow > 0 ? new Promise(resolve => setTimeout(resolve, this.slow)) : undefined;
  }

  record(request, response, path) {
    const entry = {
      method: request.method,
      path,
      prompt: new URL(request.url, 'http://localhost').searchParams.get('prompt'),
      frame: request.headers['sec-fetch-dest'] === 'iframe',
      status: null,
    };
    response.on('finish', () => (entry.status = response.statusCode));
    this.#log.push(entry);
    if (this.#log.length > MAX_LOG_LENGTH) this.#log.shift();
  }

  async control(request, response) {
    try {
      if (request.method === 'POST') this.#apply(JSON.parse((await bodyOf(request)) || '{}'));
    } catch (error) {
      return response.writeHead(400, { 'Content-Type': 'text/plain' }).end(error.message);
    }
    const { life, refreshLife, authAge, outage, slow, isolated, crossSite } = this;
    const body = {
      life,
      refreshLife,
      authAge,
      outage,
      slow,
      isolated,
      crossSite,
      quirks: this.quirks.settings,
      roles: Object.fromEntries(this.#roles),
      log: this.#log,
    };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    return response.end(JSON.stringify(body));
  }

  #apply({ life, refreshLife, authAge, outage, slow, isolated, crossSite, quirks, roles, keys, forget }) {
    if (life !== undefined) this.life = life;
    if (refreshLife !== undefined) this.refreshLife = refreshLife;
    if (authAge !== undefined) this.authAge = authAge;
    if (outage !== undefined) this.outage = outage;
    if (slow !== undefined) this.slow = slow;
    if (isolated !== undefined) this.isolated = isolated;
    if (crossSite !== undefined) this.crossSite = crossSite;
    for (const [name, list] of Object.entries(roles ?? {})) this.#roles.set(name, list);
    if (keys === 'add') this.#keys.signing.unshift(newSigningKey());
    if (keys === 'replace') this.#keys.signing = [newSigningKey()];
    const { issuer } = this.quirks.settings;
    if (quirks !== undefined) this.quirks.set(quirks);
    if (keys !== undefined || issuer !== this.quirks.settings.issuer) this.#rebuild();
    if (forget) this.#log = [];
  }
}

function allowCrossSite(cookie) {
  return cookie.replace(/samesite=lax/i, 'SameSite=None; Secure');
}
