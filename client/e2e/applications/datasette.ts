import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../../.scripts/lib/processes.mjs';
import { type Application, install, scriptTag } from './application';

export const datasette: Application = {
  name: 'datasette-0.65.5',
  async install(folder) {
    await install('python3', ['-m', 'venv', folder]);
    await install(join(folder, 'bin/pip'), ['install', '--quiet', 'datasette==0.65.5']);
  },
  async start(installation) {
    const { folder, data, port, waypost } = installation;
    const [templates, plugins, database] = ['templates', 'plugins', 'shop.db'].map(name => join(data, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(templates);
    mkdirSync(plugins);
    writeFileSync(join(templates, '_footer.html'), `${scriptTag(installation, ' nonce="tours"')}`);
    // Datasette has scripts and styles in its pages.
    const policy = `default-src 'self'; script-src 'self' 'unsafe-inline' ${waypost}; style-src 'self' 'unsafe-inline'; connect-src ${waypost}; img-src 'self' data:`;
    writeFileSync(
      join(plugins, 'policy.py'),
      `from datasette import hookimpl

@hookimpl
def asgi_wrapper(datasette):
    def wrap(app):
        async def respond(scope, receive, send):
            async def send_with_policy(event):
                if event["type"] == "http.response.start":
                    event["headers"] = [*event["headers"], (b"content-security-policy", b"${policy}")]
                await send(event)
            await app(scope, receive, send_with_policy)
        return respond
    return wrap
`,
    );
    const lamps = "CREATE TABLE lamp (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO lamp (name) VALUES ('Desk lamp')";
    const python = join(folder, 'bin/python');
    await install(python, [
      '-c',
      `import sqlite3; sqlite3.connect(${JSON.stringify(database)}).executescript("${lamps}")`,
    ]);
    const args = ['serve', database, '--port', String(port), '--template-dir', templates, '--plugins-dir', plugins];
    const url = `http://127.0.0.1:${port}/`;
    return startServer(join(folder, 'bin/datasette'), args, { url, name: 'Datasette' });
  },
  path: '/',
  steps: [
    { on: null },
    { on: 'h2 a[href="/shop"]', until: 'click', use: page => page.locator('h2 a[href="/shop"]').click() },
    { on: 'form.sql', page: '/shop', reload: true },
    {
      on: 'h3 a[href="/shop/lamp"]',
      free: true,
      until: 'click',
      use: page => page.locator('h3 a[href="/shop/lamp"]').click(),
    },
    { on: 'table.rows-and-columns', page: '/shop/lamp' },
  ],
};
