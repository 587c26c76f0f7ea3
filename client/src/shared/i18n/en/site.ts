import { counted, formatCount, formatPercent } from '../format';
import { defineMessages } from '../messages';

const english = {
  light: {
    never: 'Not installed: no page has loaded its tours yet',
    own: 'No page has loaded its tours yet',
    sample: 'Not installed: the sample’s visitors are generated',
    live: 'Installed, seen just now',
    idle: (when: string) => `Installed, last seen ${when}`,
  },
  origins: {
    label: 'Allowed origins',
    hint: 'The addresses your app runs on, one per line, e.g. https://app.example.com or http://localhost:3000. https://*.example.com allows all subdomains. The site key won’t work anywhere else.',
    wrong: (line: string) =>
      `“${line}” needs https:// in front. (* can only replace the subdomains: https://*.example.com.)`,
    allowHttp: 'Allow http',
    allowHttpHint:
      'Without https, anyone on the network can read and change your pages and their tours. Use it for internal networks only.',
  },
  events: {
    title: 'Events',
    description:
      'Events your site sent in the last 90 days. Use them to start a tour, complete a step, or measure a release’s goal.',
    loading: 'Loading events',
    none: 'No events yet. Send one from your page with:',
    demo: 'Sent by the demo page',
    received: 'Your site has sent this event.',
    notReceived: 'We haven’t received this event in 90 days. Check the spelling, or send it from your page.',
  },
  refused: {
    title: 'Refused origins',
    description: 'Pages of these origins use the site key but aren’t allowed to, so they show no tours.',
    warning: 'Anyone can send the site key. Add an origin only if it’s yours.',
    add: (origin: string) => `Add to allowed origins: ${origin}`,
    requests: (count: number, when: string) =>
      `${counted(count, { one: 'Refused # time', other: 'Refused # times' })}, last ${when}`,
    added: (origin: string) => `${origin} is allowed now. Its pages show tours when they’re opened again.`,
  },
  identity: {
    title: 'Visitor identities',
    description: 'If your server signs the IDs of your visitors, nobody can pose as another visitor.',
    loading: 'Loading identities',
    mode: 'Signed IDs',
    modes: { OFF: 'Off', OPTIONAL: 'Optional', REQUIRED: 'Required' },
    modeHints: {
      OFF: 'Your pages declare who their visitors are. To turn this on, add a key first.',
      OPTIONAL: 'Visitors with a signed ID are verified. For all others, the ID that the page declares counts.',
      REQUIRED: 'An ID that isn’t signed is ignored: the visitor is anonymous.',
    },
    coverageOff: (identified: number) =>
      identified === 0
        ? 'No visits with an ID in the last 7 days.'
        : `Visits with an ID in the last 7 days: ${formatCount(identified)}.`,
    coverage: (verified: number, identified: number) =>
      identified === 0
        ? 'No visits with an ID in the last 7 days.'
        : `Signed in the last 7 days: ${formatPercent(verified / identified)} of the visits with an ID (${formatCount(verified)} of ${formatCount(identified)}).`,
    requireTitle: 'Require signed IDs?',
    requireText: 'Visitors whose ID isn’t signed become anonymous: they may see tours again.',
    require: 'Require signed IDs',
    keys: 'Keys',
    noKeys: 'No keys yet.',
    full: 'A site can have two keys. Revoke one first.',
    algorithms: { HS256: 'Secret (HS256)', EDDSA: 'Public key (EdDSA)' },
    created: (when: string) => `Created ${when}.`,
    used: (when: string) => `Last used ${when}.`,
    unused: 'Not used yet.',
    addSecret: 'Generate secret',
    addPublicKey: 'Add public key',
    add: 'Add key',
    secretTitle: 'New secret',
    secretText: 'Copy the secret to your server now. It won’t be shown again.',
    secret: 'Secret',
    copySecret: 'Copy secret',
    done: 'Done',
    publicKey: 'Ed25519 public key',
    publicKeyHint: 'PEM or JWK. The private key stays on your server.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this key?',
    revokeText: 'IDs that were signed with it are no longer accepted.',
    revokeLast: 'This is the only key: no visitor can be verified until you add another.',
  },
  create: {
    title: 'New site',
    description: 'We’ll create a site key for it.',
    example: 'Production',
    submit: 'Create site',
  },
  list: {
    title: 'Sites',
    new: 'New site',
    description: 'Where your tours run. Add one site each for production, staging, docs …',
    loading: 'Loading sites',
    empty: 'No sites yet',
    emptyText: 'Add the site your tours should run on. You’ll get a site key to install on its pages.',
  },
  install: {
    script: 'Add this code to the <head> of every page:',
    copy: 'Copy script',
    send: 'Copy message for a developer',
    more: 'Content Security Policy and pinned version',
    policy:
      'If your pages send a Content-Security-Policy header, add these addresses. Steps with images also need the addresses of the images in img-src:',
    nonce:
      'If the policy has a nonce or ‘strict-dynamic’, set the nonce of each response on the script. Without one, ‘strict-dynamic’ ignores the address:',
    tag: 'If the policy doesn’t allow inline scripts, or in a tag manager, use this line instead. A slow connection to Waypost then delays the load event of the page:',
    pinned:
      'To load only this version of the script and check its content. It keeps working after Waypost updates, but doesn’t get later versions of the script:',
    message: {
      intro: (site: string) =>
        `Please add Waypost, which shows product tours, to “${site}”. Add this code to the <head> of every page:`,
      origins: (origins: string) => `It works on pages of: ${origins}`,
    },
  },
  page: {
    loading: 'Loading site',
    lastPage: (page: string) => `on ${page}`,
    pages: 'Installation',
    ownPages: 'This site is Waypost’s own interface.',
    pagesText:
      'Add the script to your site’s pages to show tours. The status turns green when Waypost receives a request from one of them.',
    playDemo: 'Try this site’s tours on the demo page',
    demoElsewhere: (origin: string) =>
      `The demo page runs at ${origin}, which isn’t one of this site’s allowed origins yet.`,
    allowDemo: 'Add to allowed origins',
    key: 'Site key',
    cooldownHours: 'Cooldown (hours)',
    cooldownHint: 'Minimum hours between two tours that start automatically. 0 = no pause.',
    keyHint: 'Identifies this site. It isn’t secret: it only works on the allowed origins.',
    copyKey: 'Copy key',
    replaceKey: 'Replace key',
    replaceTitle: 'Replace the site key?',
    replaced: 'Site key replaced. Update it on your pages.',
    replaceText: 'Pages using the old key stop showing tours immediately.',
    saved: 'Site saved.',
    details: 'Details',
    save: 'Save site',
  },
};

export type SiteTexts = typeof english;
export const t = defineMessages('site', english);
