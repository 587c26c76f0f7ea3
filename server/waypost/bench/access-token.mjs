// Signs in at the development provider: authorization code with PKCE (RFC 7636).

import { createHash, randomBytes } from 'node:crypto';
import { UserError } from '../../../.scripts/lib/processes.mjs';

export async function accessToken({ provider, origin, name }) {
  const { authorization_endpoint: authorization, token_endpoint: token } = await (
    await fetch(`${provider}/.well-known/openid-configuration`)
  ).json();
  const verifier = randomBytes(32).toString('base64url');
  const redirect = `${origin}/auth/callback`;
  const query = new URLSearchParams({
    client_id: 'waypost',
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: redirect,
    resource: 'urn:waypost:api',
    state: 'bench',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = new Browser(provider);
  const form = await browser.follow(`${authorization}?${query}`, redirect);
  const back = await browser.follow(form, redirect, new URLSearchParams({ name, password: name }));
  const code = new URL(back).searchParams.get('code');
  if (code === null) throw new UserError(`Signing in at the development identity provider failed: ${back}`);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'waypost',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
    resource: 'urn:waypost:api',
  });
  const answer = await (await fetch(token, { method: 'POST', body, headers: { origin } })).json();
  if (typeof answer.access_token !== 'string')
    throw new UserError(`The token response has no access token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

class Browser {
  #cookies = new Map();
  #base;

  constructor(base) {
    this.#base = base;
  }

  /** To a page, or to a URL that starts with `end`. */
  async follow(address, end, form) {
    let body = form;
    for (let url = address; ;) {
      if (url.startsWith(end)) return url;
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        body,
        headers: { cookie },
        redirect: 'manual',
      });
      for (const line of response.headers.getSetCookie()) {
        const [name, value] = line.split(';')[0].split('=');
        this.#cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null && response.ok) return url;
      if (next === null) throw new UserError(`${url} returned status ${response.status}: ${await response.text()}`);
      url = new URL(next, this.#base).href;
      body = undefined;
    }
  }
}
