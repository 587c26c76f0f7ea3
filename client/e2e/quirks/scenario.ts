/** A seed determines the whole scenario: an installation, the quirks of its provider, and a story. */
import type { QUIRKS } from '../../dev/quirks.mjs';
import type { Name } from '../people';

export type Quirk = keyof typeof QUIRKS;
export type QuirkSettings = Partial<Record<Quirk, string>>;

/** Values of the test control of the provider, see client/dev/test-controls.mjs. */
export type Fault = { quirks: QuirkSettings } | { slow: number } | { outage: true };

interface Installation {
  settings: Readonly<Record<string, string>>;
  quirks: QuirkSettings;
}

export const INSTALLATIONS = {
  jwt: { settings: {}, quirks: {} },
  'jwt and userinfo': { settings: { WAYPOST_OIDC_USERINFO: '1' }, quirks: { issuer: 'slash' } },
  userinfo: {
    settings: { WAYPOST_OIDC_RESOURCE: '', WAYPOST_OIDC_TOKEN: 'userinfo' },
    quirks: { accessTokens: 'opaque' },
  },
  'ID token': {
    settings: { WAYPOST_OIDC_RESOURCE: '', WAYPOST_OIDC_TOKEN: 'id_token' },
    quirks: {},
  },
} satisfies Record<string, Installation>;

export type InstallationName = keyof typeof INSTALLATIONS;

export type Action =
  | 'renew in a frame'
  | 'renew with the refresh token'
  | 'renew in a window'
  | 'open a second tab'
  | 'open a tab without a session of the provider'
  | 'reload'
  | 'sleep past the end'
  | 'add a key'
  | 'replace the keys'
  | 'end the session of the provider';

export type Way = 'redirect' | 'window' | 'closed window';

export interface Step {
  action: Action;
  /** Begins before the action and ends after it. */
  fault: Fault | null;
}

export interface Scenario {
  installation: InstallationName;
  quirks: QuirkSettings;
  refreshLife: number;
  person: Name;
  signIn: { way: Way; fault: Fault | null };
  steps: readonly Step[];
  /** Signs in after the sign-out. */
  nextPerson: Name;
}

export const scenario = (changes: Partial<Scenario>): Scenario => ({
  installation: 'jwt',
  quirks: {},
  refreshLife: 86_400,
  person: 'author',
  signIn: { way: 'redirect', fault: null },
  steps: [],
  nextPerson: 'viewer',
  ...changes,
});

/** Settings with which a session is possible. */
const HARMLESS: Partial<Record<Quirk, readonly string[]>> = {
  silentRequests: ['form'],
  pendingRequest: ['first'],
  frameCookies: ['blocked'],
  responseMode: ['query', 'fragment', 'form_post'],
  audiences: ['two'],
  refreshTokens: ['rotate', 'keep', 'none'],
  names: ['userinfo', 'id-token', 'nowhere'],
  userinfoSubject: ['different'],
  clock: ['behind'],
  authTime: ['account'],
  revocation: ['refused-for-public-clients'],
  logoutRedirect: ['with-client-id'],
  withoutCors: ['keys', 'authorization', 'userinfo', 'revocation', 'logout'],
};

/** Settings with which a sign-in fails, which Waypost must explain. */
const HARMFUL: Partial<Record<Quirk, readonly string[]>> = {
  consent: ['access_denied', 'consent_required'],
  issuer: ['slash-in-tokens'],
  accessTokens: ['opaque'],
  clock: ['ahead'],
  withoutCors: ['discovery', 'token', 'all'],
};

const FAULTS: readonly Fault[] = [
  ...(['discovery', 'authorization', 'token', 'userinfo', 'revocation', 'logout', 'all'] as const).flatMap(endpoint => [
    { quirks: { hangs: endpoint } },
    { quirks: { unavailable: endpoint } },
  ]),
  { slow: 5000 },
  { outage: true },
];

const ACTIONS: readonly Action[] = [
  'renew in a frame',
  'renew with the refresh token',
  'renew in a window',
  'open a second tab',
  'reload',
  'sleep past the end',
  'add a key',
  'replace the keys',
  'end the session of the provider',
];

export function scenarioOf(seed: number): Scenario {
  const random = generator(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (probability: number) => random() < probability;
  const installation = pick(Object.keys(INSTALLATIONS) as InstallationName[]);
  const fixed: QuirkSettings = INSTALLATIONS[installation].quirks;
  const quirks: QuirkSettings = {};
  const add = (choices: typeof HARMLESS) => {
    const name = pick(Object.keys(choices) as Quirk[]);
    const value = pick(choices[name] ?? []);
    if (!(name in fixed)) quirks[name] = value;
  };
  for (let count = Math.floor(random() * 4) + 1; count > 0; count -= 1) add(HARMLESS);
  if (chance(0.15)) add(HARMFUL);
  // The ends of two sessions in one story exceed the tolerance for wrong clocks.
  let maySleep = true;
  const steps: Step[] = [];
  for (let count = Math.floor(random() * 3) + 1; count > 0; count -= 1) {
    const action = pick(ACTIONS);
    if (action === 'sleep past the end' && !maySleep) continue;
    maySleep &&= action !== 'sleep past the end';
    steps.push({ action, fault: chance(0.35) ? pick(FAULTS) : null });
  }
  return {
    installation,
    quirks,
    refreshLife: chance(0.1) ? 1 : 86_400,
    person: pick(['author', 'publisher'] as const),
    signIn: { way: pick(['redirect', 'window', 'closed window'] as const), fault: chance(0.2) ? pick(FAULTS) : null },
    steps,
    nextPerson: pick(['viewer', 'admin'] as const),
  };
}

/** A fault may prevent it. */
export function canSignIn({ installation, quirks }: Scenario): boolean {
  const { consent, issuer, clock, withoutCors } = quirks;
  if (consent !== undefined || issuer === 'slash-in-tokens') return false;
  if (withoutCors !== undefined && ['discovery', 'token', 'all'].includes(withoutCors)) return false;
  const verifiesJwt = installation !== 'userinfo';
  if (verifiesJwt && clock === 'ahead') return false;
  const needsJwt = installation === 'jwt' || installation === 'jwt and userinfo';
  return !(needsJwt && quirks.accessTokens === 'opaque');
}

export function describeScenario({ installation, quirks, refreshLife, signIn, steps }: Scenario): string {
  const settings = Object.entries(quirks).map(([name, value]) => `${name}=${value}`);
  if (refreshLife === 1) settings.push('refreshLife=1');
  const story = [{ action: `sign in by ${signIn.way}`, fault: signIn.fault }, ...steps].map(({ action, fault }) =>
    fault === null ? action : `${action} (${describeFault(fault)})`,
  );
  return `${installation}; ${settings.join(', ')}; ${story.join(', ')}`;
}

export function describeFault(fault: Fault): string {
  if ('quirks' in fault) return Object.entries(fault.quirks).flat().join(': ');
  return 'slow' in fault ? `slow: ${fault.slow} ms` : 'outage';
}

function generator(seed: number): () => number {
  // Spreads consecutive seeds, whose first numbers would be similar.
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
