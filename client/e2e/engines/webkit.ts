/** WebKitGTK, WebDriver (W3C). Needs a display. */
import { freePort, type Service, startServer, startService } from '../../../.scripts/lib/processes.mjs';
import { type Engine, TIMEOUT_MS, type Window } from './engine';

/** The name of the property with the id of an element, defined by the specification. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

export async function startWebKit(): Promise<Engine> {
  const display = await startDisplay();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let driver: Service | null = null;
  const stop = async () => {
    await driver?.stop();
    await display.service.stop();
  };
  try {
    const env = { DISPLAY: display.name, DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
    const args = ['--host=127.0.0.1', `--port=${port}`];
    driver = await startServer('WebKitWebDriver', args, { env, url: `${url}/status` });
    const created = await request(url, 'POST', '/session', { capabilities: {} });
    const { sessionId } = created as { sessionId: string };
    const send: Send = (method, path, body) => request(url, method, `/session/${sessionId}${path}`, body);
    const handles = async () => (await send('GET', '/window/handles')) as string[];
    let first: string | undefined = (await handles())[0];
    return {
      open: async () => {
        const handle = first ?? ((await send('POST', '/window/new', { type: 'tab' })) as { handle: string }).handle;
        first = undefined;
        return windowOf(send, handle);
      },
      popup: async action => {
        const before = await handles();
        await action();
        const opened = await until('a new window', async () => (await handles()).find(each => !before.includes(each)));
        return windowOf(send, opened);
      },
      stop: async () => {
        await send('DELETE', '');
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `name` is the value of `DISPLAY`. */
async function startDisplay(): Promise<{ service: Service; name: string }> {
  // Xvfb chooses a free number and prints it.
  const service = startService('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']);
  const number = await until('a display', async () => /^\d+$/m.exec(service.printed())?.[0]);
  return { service, name: `:${number}` };
}

async function until<Value>(what: string, read: () => Promise<Value | undefined>): Promise<Value> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline;) {
    // Sequential, because it polls.
    const value = await read();
    if (value !== undefined) return value;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`WebKit: waited for ${what} for ${TIMEOUT_MS / 1000} s.`);
}

async function request(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) });
  const { value } = (await response.json()) as { value: { message?: string } | null };
  if (!response.ok) throw new Error(`WebKit: ${method} ${path}: ${value?.message ?? response.status}`);
  return value;
}

async function visibleElement(send: Send, xpath: string): Promise<string | undefined> {
  const element = (await send('POST', '/element', { using: 'xpath', value: xpath })) as Record<string, string>;
  const path = `/element/${element[ELEMENT]}`;
  return (await send('GET', `${path}/displayed`)) === true ? path : undefined;
}

function windowOf(send: Send, handle: string): Window {
  // WebDriver has one current window.
  const select = () => send('POST', '/window', { handle });
  const locate = async (xpath: string) => {
    await select();
    // A page that is being replaced has no elements.
    return until(xpath, () => visibleElement(send, xpath).catch(() => undefined));
  };
  const execute = async (script: string) => {
    await select();
    return send('POST', '/execute/sync', { script, args: [] });
  };
  return {
    goto: async url => {
      await select();
      await send('POST', '/url', { url });
    },
    reload: async () => {
      await select();
      await send('POST', '/refresh');
    },
    url: async () => String(await execute('return location.href')),
    see: async xpath => {
      await locate(xpath);
    },
    click: async xpath => {
      await send('POST', `${await locate(xpath)}/click`);
    },
    type: async (xpath, text) => {
      await send('POST', `${await locate(xpath)}/value`, { text });
    },
    evaluate: expression => execute(`return ${expression}`),
  };
}
