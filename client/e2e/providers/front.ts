import { createServer, request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

export interface Service {
  port: number;
  rewriteHeaders?: (path: string, headers: OutgoingHttpHeaders) => void;
}

export async function startFront(
  port: number,
  services: Readonly<Record<string, Service>>,
): Promise<{ stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const service = services[hostNameOf(request)];
    if (!service) return response.writeHead(404).end();
    const { method, url: path = '/', headers } = request;
    const forwarded = sendRequest({ host: '127.0.0.1', port: service.port, method, path, headers }, upstream => {
      const rewritten: OutgoingHttpHeaders = { ...upstream.headers };
      service.rewriteHeaders?.(path, rewritten);
      response.writeHead(upstream.statusCode ?? 502, rewritten);
      upstream.pipe(response);
    });
    forwarded.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    return request.pipe(forwarded);
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

const hostNameOf = ({ headers: { host = '' } }: IncomingMessage): string => host.replace(/:\d+$/, '');
