// Starts Waypost behind Caddy, nginx and HAProxy with the files of server/packaging/proxies, and behind a cache. Runs in
// a namespace, see namespace.mjs.

import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { startIssuer } from '../../server/waypost/bench/issuer.mjs';
import { request } from '../../server/waypost/bench/requests.mjs';
import { writeCertificate } from './certificate.mjs';
import { enterNamespace } from './namespace.mjs';
import { exitWithError, ROOT, run, startServer, startService, UserError } from './processes.mjs';

const HOST = 'tours.example.com';
const ORIGIN = `https://${HOST}`;
const SHOP = 'https://shop.example';
const FOLDER = join(ROOT, 'server/packaging/proxies');
const TLS = '/etc/ssl/waypost';
const EVENT_TIMEOUT_MS = 5000;

const [program] = process.argv.slice(2);

/**
 * @typedef {object} Proxy
 * @property {string} source the configuration of server/packaging
 * @property {string} file its path in the namespace
 * @property {string} program
 * @property {string[]} args
 * @property {Record<string, string>} [env]
 * @property {Mistake[]} mistakes
 */

/**
 * A change of the configuration that operators make or forget, and the finding of the doctor.
 * @typedef {{ replace: string, by: string, finding: string }} Mistake
 */

/** @type {Record<string, Proxy>} */
const PROXIES = {
  Caddy: {
    source: join(FOLDER, 'Caddyfile'),
    file: '/etc/caddy/Caddyfile',
    program: 'caddy',
    args: ['run', '--adapter', 'caddyfile', '--config', '/etc/caddy/Caddyfile'],
    env: { XDG_DATA_HOME: '/var/lib/caddy', HOME: '/var/lib/caddy' },
    mistakes: [
      {
        replace: '\t\ttransport http',
        by: '\t\theader_up Host {upstream_hostport}\n\t\ttransport http',
        finding: 'problem host',
      },
      {
        replace: '\t\ttransport http',
        by: '\t\theader_up -X-Forwarded-For\n\t\ttransport http',
        finding: 'problem address',
      },
      {
        replace: '\treverse_proxy',
        by: '\trequest_body {\n\t\tmax_size 100KB\n\t}\n\treverse_proxy',
        finding: 'problem bodies',
      },
    ],
  },
  nginx: {
    source: join(FOLDER, 'nginx.conf'),
    file: '/etc/nginx/nginx.conf',
    program: 'nginx',
    args: ['-e', 'stderr', '-g', 'daemon off;'],
    mistakes: [
      { replace: 'proxy_set_header Host $http_host;', by: '', finding: 'problem host' },
      { replace: 'proxy_set_header X-Forwarded-For $remote_addr;', by: '', finding: 'problem address' },
      { replace: 'proxy_set_header Upgrade $http_upgrade;', by: '', finding: 'warning websocket' },
      {
        replace: 'proxy_buffering off;',
        by: 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
        finding: 'problem streams',
      },
      { replace: 'client_max_body_size 1m;', by: 'client_max_body_size 100k;', finding: 'problem bodies' },
      { replace: '443 ssl http2;', by: '443 ssl;', finding: 'warning http/2' },
    ],
  },
  HAProxy: {
    source: join(FOLDER, 'haproxy.cfg'),
    file: '/etc/haproxy/haproxy.cfg',
    program: 'haproxy',
    args: ['-db', '-f', '/etc/haproxy/haproxy.cfg'],
    mistakes: [
      {
        replace: '  http-request del-header X-Forwarded-For\n  option forwardfor\n',
        by: '',
        finding: 'problem address',
      },
      {
        replace: '  default_backend waypost',
        by: '  http-request del-header Origin\n  default_backend waypost',
        finding: 'problem origin',
      },
      { replace: ' alpn h2,http/1.1', by: ' alpn http/1.1', finding: 'warning http/2' },
    ],
  },
};

/** Keeps responses as a content delivery network does, and reports how it has found them. */
const CACHE = `
  proxy_cache_path /var/lib/nginx/cache keys_zone=cdn:1m;
  server {
    listen 443 ssl http2;
    server_name ${HOST};
    ssl_certificate ${TLS}/cert.pem;
    ssl_certificate_key ${TLS}/key.pem;
    location / {
      proxy_pass http://127.0.0.1:4000;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
    location ~ ^/(embed|t)/ {
      proxy_pass http://127.0.0.1:4000;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_cache cdn;
      proxy_force_ranges on;
      add_header X-Cache $upstream_cache_status always;
    }
  }`;

let passed = 0;
let failed = 0;
let ca = '';
let clientAddress = '127.0.1.1';

function check(name, isTrue, found) {
  if (isTrue) passed += 1;
  else failed += 1;
  console.log(`   ${isTrue ? 'ok    ' : 'FAILED'} ${name}${isTrue ? '' : `: ${JSON.stringify(found)}`}`);
}

try {
  await main();
} catch (error) {
  exitWithError(error);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function main() {
  enterNamespace({
    hosts: { [HOST]: '127.0.0.1' },
    files: Object.fromEntries(Object.values(PROXIES).map(({ file, source }) => [file, source])),
  });
  const { cert, key } = await writeCertificate(TLS, HOST);
  ca = readFileSync(cert, 'utf8');
  // Caddy would get a certificate for the host name from the internet.
  const site = readFileSync(PROXIES.Caddy.file, 'utf8').replace(' {\n', ` {\n\ttls ${cert} ${key}\n`);
  writeFileSync(PROXIES.Caddy.file, `{\n\tadmin off\n}\n${site}`);

  const issuer = await startIssuer();
  const env = {
    WAYPOST_DATA: mkdtempSync(join(tmpdir(), 'waypost-proxies-')),
    WAYPOST_PUBLIC_URL: ORIGIN,
    WAYPOST_TRUST_PROXY: '1',
    WAYPOST_LOG: 'warn',
    WAYPOST_CLIENT: join(ROOT, 'client/dist'),
    WAYPOST_MIN_FREE_DISK: '0',
    WAYPOST_OIDC_ISSUER: issuer.url,
    WAYPOST_OIDC_CLIENT_ID: 'bench',
    WAYPOST_OIDC_AUDIENCE: 'bench',
  };
  const waypost = await startServer(program, ['serve'], { url: 'http://127.0.0.1:4000/readyz', name: 'Waypost', env });
  const token = issuer.token('owner');
  const api = (operation, variables, headers = {}) =>
    fetchText('/graphql', request(operation, variables), {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      origin: ORIGIN,
      ...headers,
    });
  let scene;
  let count = 0;
  const doctor = { ...env, SSL_CERT_FILE: cert };
  for (const [name, proxy] of Object.entries(PROXIES)) {
    count += 1;
    clientAddress = `127.0.1.${count}`;
    await withProxy(name, proxy, async () => {
      scene ??= await createScene(async (operation, variables) => {
        const { text } = await api(operation, variables);
        const { data, errors } = JSON.parse(text);
        if (errors) throw new UserError(`${operation} failed: ${text}`);
        return data;
      });
      await checkProxy(name, api, scene, token);
      const found = await findings(doctor);
      check(
        `${name}: the doctor finds no problem`,
        found.every(each => each.startsWith('ok ')),
        found,
      );
    });
    await checkMistakes(name, proxy, doctor);
  }
  await checkCache(scene, waypost);
  await waypost.stop();
  issuer.stop();
}

async function withProxy(name, { program: proxy, args, env }, work) {
  const service = startService(proxy, args, { env });
  try {
    await untilReady(service, name);
    await work();
  } finally {
    await service.stop();
  }
}

/** Starts the proxy with all of its mistakes. */
async function checkMistakes(name, proxy, doctor) {
  let configuration = readFileSync(proxy.file, 'utf8');
  for (const { replace, by } of proxy.mistakes) {
    if (!configuration.includes(replace)) throw new UserError(`${proxy.source} does not contain \`${replace}\`.`);
    configuration = configuration.replace(replace, by);
  }
  writeFileSync(proxy.file, configuration);
  await withProxy(`${name} with mistakes`, proxy, async () => {
    const found = await findings(doctor);
    for (const { finding } of proxy.mistakes)
      check(
        `${name} with mistakes: the doctor finds the ${finding}`,
        found.some(each => each.startsWith(finding)),
        found,
      );
  });
}

/** Returns the findings of `waypost doctor proxy`, such as `ok host: Waypost receives …`. */
async function findings(env) {
  const { code, output } = await run(program, ['doctor', 'proxy', '--json'], { env, output: 'collect' });
  const { findings: all } = JSON.parse(output).reports[0];
  const found = all.map(({ level, check: name, message }) => `${level} ${name}: ${message}`);
  if ((code === 0) !== found.every(each => !each.startsWith('problem')))
    throw new UserError(`waypost doctor exited with ${code}:\n${output}`);
  return found;
}

async function createScene(query) {
  const { workspaceCreate: workspace } = await query('WorkspaceCreate', {
    input: { name: 'Proxies', slug: 'proxies' },
  });
  const { siteCreate: site } = await query('SiteCreate', {
    input: { workspaceId: workspace.id, name: 'Shop', origins: [SHOP] },
  });
  const { tourCreate: tour } = await query('TourCreate', {
    input: { workspaceId: workspace.id, title: 'First', slug: 'first' },
  });
  const { tourSave } = await query('TourSave', {
    input: { id: tour.id, expectedVersion: tour.version, steps: [{ key: 'hello', kind: 'MODAL', title: 'Hello' }] },
  });
  await query('TourRelease', { input: { tourId: tour.id, expectedVersion: tourSave.version, siteIds: [site.id] } });
  let { version } = (await query('TourEditor', { workspaceId: workspace.id, slug: 'first' })).tourBySlug;
  const rename = async title => {
    ({ version } = (await query('TourRename', { id: tour.id, expectedVersion: version, title })).tourRename);
  };
  return { tour, site, rename };
}

async function checkProxy(name, api, { tour, rename, site }, token) {
  const page = await fetchText('/', null, { accept: 'text/html' });
  check(`${name}: the application over TLS`, page.status === 200, page.status);
  const redirected = await fetch(`http://${HOST}/tours?a=1`, { redirect: 'manual' });
  check(
    `${name}: http redirects to https`,
    redirected.status === 308 && redirected.headers.get('location') === `${ORIGIN}/tours?a=1`,
    [redirected.status, redirected.headers.get('location')],
  );

  for (const version of ['HTTP/2', 'HTTP/1.1']) {
    const stream = version === 'HTTP/2' ? openHttp2(tour, token) : openHttp1(tour, token);
    await seen(stream.parts, '"data"');
    check(`${name}: first part of a stream over ${version}`, stream.parts.join('').includes('"data"'), stream.parts);
    check(`${name}: streams are not compressed over ${version}`, stream.encoding() === undefined, stream.encoding());
    const title = `${name} ${version}`;
    await rename(title);
    check(`${name}: an event over ${version}`, await seen(stream.parts, title), stream.parts.slice(-2));
    stream.close();
  }

  const socket = await openSocket(tour, token);
  check(`${name}: a WebSocket`, await seen(socket.messages, '"next"'), socket.messages);
  await rename(`${name} socket`);
  check(`${name}: an event in a WebSocket`, await seen(socket.messages, `${name} socket`), socket.messages.slice(-2));
  socket.close();

  const compressed = await fetchText('/embed/v1.js', null, { 'accept-encoding': 'gzip' });
  check(
    `${name}: files are compressed once`,
    compressed.headers['content-encoding'] === 'gzip' && compressed.text.includes('function'),
    [compressed.headers, compressed.text.slice(0, 80)],
  );
  const foreign = await api('Viewer', {}, { origin: 'https://evil.example' });
  check(`${name}: pages of other sites cannot use the API`, foreign.status === 403, foreign.status);
  // A browser that does not send Sec-Fetch-Site is recognized by Origin and Host.
  const own = await api('Viewer', {});
  check(`${name}: pages of Waypost can`, own.status === 200, [own.status, own.text]);

  const large = JSON.stringify({ siteKey: site.key, visitor: { anonymousId: 'a'.repeat(300_000) } });
  const refused = await fetchText('/e/boot', large, { 'content-type': 'text/plain', origin: SHOP });
  check(`${name}: a body above the limit is refused by Waypost`, refused.status === 413, refused.status);
  const allowed = await fetchText('/e/boot', large.replace('a'.repeat(60_000), ''), {
    'content-type': 'text/plain',
    origin: SHOP,
  });
  check(`${name}: a body of 240 kB arrives`, allowed.status === 400, allowed.status);

  const statuses = {};
  for (let index = 0; index < 130; index += 1) {
    const path = `/t/${name.length}${index.toString(16).padStart(63, '0')}.json`;
    const { status } = await fetchText(path, null, { 'x-forwarded-for': `198.51.100.${index}` });
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  check(`${name}: forged addresses do not evade a limit`, (statuses[429] ?? 0) > 0, statuses);
}

async function checkCache({ site }, waypost) {
  clientAddress = '127.0.2.1';
  writeFileSync('/etc/nginx/cache.conf', `events {}\nerror_log stderr warn;\npid /run/nginx.pid;\nhttp {${CACHE}\n}\n`);
  const nginx = startService('nginx', ['-e', 'stderr', '-c', '/etc/nginx/cache.conf', '-g', 'daemon off;']);
  try {
    await untilReady(nginx, 'nginx with a cache');
    const boot = JSON.stringify({
      siteKey: site.key,
      visitor: { anonymousId: 'browser-of-the-cache' },
      url: `${SHOP}/`,
    });
    const { text } = await fetchText('/e/boot', boot, { 'content-type': 'text/plain', origin: SHOP });
    const bundle = JSON.parse(text).tours?.[0]?.bundle;
    if (!bundle) throw new UserError(`boot returned no tour: ${text}`);
    for (const path of ['/embed/v1.js', bundle]) {
      const name = path === bundle ? 'a bundle' : 'the script';
      const get = headers => fetchText(path, null, headers);
      const first = await get({ origin: SHOP, 'accept-encoding': 'gzip' });
      const second = await get({ origin: 'https://other.example', 'accept-encoding': 'gzip' });
      check(`cache: ${name} is read once`, first.headers['x-cache'] === 'MISS' && second.headers['x-cache'] === 'HIT', [
        first.headers,
        second.headers,
      ]);
      check(`cache: ${name} for any origin`, second.headers['access-control-allow-origin'] === '*', second.headers);
      check(`cache: ${name} has the same content`, first.text === second.text && first.status === 200, second.text);
      const plain = await get({ 'accept-encoding': 'identity' });
      check(
        `cache: ${name} for a client without compression`,
        plain.headers['content-encoding'] === undefined && plain.text === first.text,
        plain.headers,
      );
      const head = await fetchText(path, null, { 'accept-encoding': 'gzip' }, 'HEAD');
      check(
        `cache: HEAD of ${name}`,
        head.status === 200 && head.text === '' && head.headers['x-cache'] === 'HIT',
        head,
      );
      const range = await get({ range: 'bytes=0-9', 'accept-encoding': 'identity' });
      check(`cache: a range of ${name}`, range.status === 206 && range.text === plain.text.slice(0, 10), [
        range.status,
        range.text,
      ]);
      const same = await get({ 'if-none-match': String(plain.headers.etag), 'accept-encoding': 'identity' });
      check(`cache: ${name} is validated`, same.status === 304, same.status);
    }
    const [script, tour] = [await fetchText('/embed/v1.js', null), await fetchText(bundle, null)];
    const maxAge = ({ headers }) => Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1]);
    check('cache: a new version of the script is visible within five minutes', maxAge(script) <= 300, script.headers);
    check('cache: a bundle never changes', /immutable/.test(tour.headers['cache-control'] ?? ''), tour.headers);
    for (const path of [`/t/${'d'.repeat(64)}.json`, '/embed/missing-0123456789abcdef.js']) {
      await fetchText(path, null);
      const again = await fetchText(path, null);
      check(`cache: a missing file is not kept: ${path}`, again.status === 404 && again.headers['x-cache'] !== 'HIT', [
        again.status,
        again.headers,
      ]);
    }
    const boots = await fetchText('/e/boot', boot, { 'content-type': 'text/plain', origin: SHOP });
    check('cache: responses to pages are not kept', boots.headers['cache-control'] === 'no-store', boots.headers);
    // The cache keeps serving files of tours.
    await waypost.stop();
    const without = await fetchText(bundle, null, { 'accept-encoding': 'gzip' });
    check('cache: bundles are served while Waypost is down', without.status === 200, without.status);
  } finally {
    await nginx.stop();
  }
}

async function untilReady(service, name) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    const { status } = await fetchText('/readyz', null).catch(() => ({ status: 0 }));
    if (status === 200) return;
    if (service.child.exitCode !== null) break;
  }
  throw new UserError(`${name} does not forward requests:\n${service.printed()}`);
}

/** Returns the response with its decompressed text. Each proxy has clients with another address. */
function fetchText(path, body, headers = {}, method = body === null ? 'GET' : 'POST') {
  return new Promise((resolve, reject) => {
    const options = { method, headers, ca, agent: false, localAddress: clientAddress };
    const sent = https.request(`${ORIGIN}${path}`, options, response => {
      const parts = [];
      response.on('data', part => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
        const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

function streamHeaders(token) {
  return {
    'content-type': 'application/json',
    accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
    'accept-encoding': 'gzip, zstd, br',
    authorization: `Bearer ${token}`,
  };
}

function openHttp2({ id }, token) {
  const parts = [];
  const session = http2.connect(ORIGIN, { ca });
  session.on('error', error => parts.push(error.message));
  const sent = session.request({ ':method': 'POST', ':path': '/graphql', ...streamHeaders(token) });
  let encoding;
  sent.on('response', headers => (encoding = headers['content-encoding']));
  sent.on('data', part => parts.push(part.toString()));
  sent.on('error', () => {});
  sent.end(request('TourChanged', { id }));
  return { parts, encoding: () => encoding, close: () => session.destroy() };
}

function openHttp1({ id }, token) {
  const parts = [];
  let encoding;
  const options = { method: 'POST', ca, agent: false, headers: streamHeaders(token) };
  const sent = https.request(`${ORIGIN}/graphql`, options, response => {
    encoding = response.headers['content-encoding'];
    response.on('data', part => parts.push(part.toString()));
    response.on('error', () => {});
  });
  sent.on('error', error => parts.push(error.message));
  sent.end(request('TourChanged', { id }));
  return { parts, encoding: () => encoding, close: () => sent.destroy() };
}

async function openSocket({ id }, token) {
  const messages = [];
  const socket = new WebSocket(`${ORIGIN.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    ca,
    origin: ORIGIN,
  });
  socket.on('unexpected-response', (_, { statusCode }) => messages.push(`status ${statusCode}`));
  socket.on('error', error => messages.push(error.message));
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
  );
  socket.on('message', message => {
    const text = message.toString();
    messages.push(text);
    if (JSON.parse(text).type !== 'connection_ack') return;
    const payload = JSON.parse(request('TourChanged', { id }));
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
  });
  return { messages, close: () => socket.terminate() };
}

/** Waits until one of the texts contains `text`. */
async function seen(texts, text) {
  for (const deadline = Date.now() + EVENT_TIMEOUT_MS; Date.now() < deadline; await sleep(10)) {
    if (texts.some(each => each.includes(text))) return true;
  }
  return false;
}
