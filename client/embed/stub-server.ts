// The server of unit tests of the embed.

import { vi } from 'vitest';

type Respond = (path: string, body: string) => Response | Promise<Response>;

/** Responds to the requests of the embed, until `vi.unstubAllGlobals`. A rejection is a network error. */
export function stubServer(respond: Respond): void {
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => respond(new URL(url).pathname, body));
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      path = '';
      status = 0;
      response: unknown = null;
      onloadend = () => {};

      open(_method: string, url: string) {
        this.path = new URL(url).pathname;
      }

      async send(body: string | null) {
        try {
          const response = await respond(this.path, body ?? '');
          this.status = response.status;
          this.response = await response.json();
        } catch {
          // As the browser's, which returns null for other contents and has no status without a response.
        }
        this.onloadend();
      }
    },
  );
}
