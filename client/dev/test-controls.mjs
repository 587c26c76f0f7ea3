// What tests may change in the development identity provider while it runs: token lives, roles, keys, outages, delays.
// POST /test with a JSON object of the fields below; GET /test answers with them and with the requests it has seen.

import { ACCOUNTS } from './accounts.mjs';
import { bodyOf } from './request-body.mjs';
import { newSigningKey } from './signing-keys.mjs';

/** Requests that are remembered. */
const LOG_LENGTH = 500;

export class Faults {
  /** Life of an access token in seconds. */
  life = 300;
  /** Life of a refresh token in seconds. */
  refreshLife = 86_400;
  /** Closes every connection without an answer. */
  outage = false;
  /** Parts its windows from the page that opened them (Cross-Origin-Opener-Policy). */
  isolated = false;
  /** Lets frames on other sites see its cookies, where the browser lets them. */
  crossSite = false;
  /** Waits this many milliseconds before each answer. */
  slow = 0;

  /** @type {Map<string, string[]>} */
  #roles = new Map(ACCOUNTS.map(({ name, role }) => [name, [role.toLowerCase()]]));
  /** @type {{ method: string, path: string, prompt: string | null, grant: string | null, status: number | null }[]} */
  #log = [];
  #keys;
  #rebuild;

  /**
   * @param {import("./signing-keys.mjs").Keys} keys
   * @param {() => void} rebuild makes the provider anew, with other keys
   */
  constructor(keys, rebuild) {
    this.#keys = keys;
    this.#rebuild = rebuild;
  }

  rolesOf(account) {
    return this.#roles.get(account.name) ?? [];
  }

  /** Changes the cookies of an answer to ones for frames on other sites. Loopback needs no https for that. */
  dress(response) {
    if (!this.crossSite) return;
    const set = response.setHeader.bind(response);
    response.setHeader = (name, value) => {
      const ours = name.toLowerCase() === 'set-cookie' ? [value].flat().map(acrossSites) : value;
      return set(name, ours);
    };
  }

  delay() {
    return this.slow > 0 ? new Promise(resolve => setTimeout(resolve, this.slow)) : undefined;
  }

  /** Remembers a request and, once it is there, the status of its answer. */
  note(request, response, path) {
    const entry = {
      method: request.method,
      path,
      prompt: new URL(request.url, 'http://localhost').searchParams.get('prompt'),
      frame: request.headers['sec-fetch-dest'] === 'iframe',
      status: null,
    };
    response.on('finish', () => (entry.status = response.statusCode));
    this.#log.push(entry);
    if (this.#log.length > LOG_LENGTH) this.#log.shift();
  }

  async control(request, response) {
    if (request.method === 'POST') this.#apply(JSON.parse((await bodyOf(request)) || '{}'));
    const { life, refreshLife, outage, slow, isolated, crossSite } = this;
    const body = {
      life,
      refreshLife,
      outage,
      slow,
      isolated,
      crossSite,
      roles: Object.fromEntries(this.#roles),
      log: this.#log,
    };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(body));
  }

  #apply({ life, refreshLife, outage, slow, isolated, crossSite, roles, keys, forget }) {
    if (life !== undefined) this.life = life;
    if (refreshLife !== undefined) this.refreshLife = refreshLife;
    if (outage !== undefined) this.outage = outage;
    if (slow !== undefined) this.slow = slow;
    if (isolated !== undefined) this.isolated = isolated;
    if (crossSite !== undefined) this.crossSite = crossSite;
    for (const [name, list] of Object.entries(roles ?? {})) this.#roles.set(name, list);
    if (keys === 'add') this.#keys.signing.unshift(newSigningKey());
    if (keys === 'replace') this.#keys.signing = [newSigningKey()];
    if (keys !== undefined) this.#rebuild();
    if (forget) this.#log = [];
  }
}

function acrossSites(cookie) {
  return cookie.replace(/samesite=lax/i, 'SameSite=None; Secure');
}
