/** A reverse proxy, as an administrator puts one in front of several services: by the name that is asked for. */
import { createServer, request as ask, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

export interface Service {
  /** Where it listens, on loopback. */
  port: number;
  /** Changes the headers of an answer. */
  dress?: (path: string, headers: OutgoingHttpHeaders) => void;
}

/** Listens on `port`; `services` are found by the name in `Host`. */
export async function startFront(
  port: number,
  services: Readonly<Record<string, Service>>,
): Promise<{ stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const service = services[nameIn(request)];
    if (!service) return response.writeHead(404).end();
    const { method, url: path = '/', headers } = request;
    const passed = ask({ host: '127.0.0.1', port: service.port, method, path, headers }, answer => {
      const dressed: OutgoingHttpHeaders = { ...answer.headers };
      service.dress?.(path, dressed);
      response.writeHead(answer.statusCode ?? 502, dressed);
      answer.pipe(response);
    });
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    return request.pipe(passed);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    stop: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

const nameIn = ({ headers: { host = '' } }: IncomingMessage): string => host.replace(/:\d+$/, '');
