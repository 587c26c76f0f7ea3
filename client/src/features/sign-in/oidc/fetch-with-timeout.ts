// Limits the time of requests to a provider.

import { ErrorTimeout } from 'oidc-client-ts';

/** A provider that never responds is reported within ten seconds, which include the time of a probe. */
export const REQUEST_TIMEOUT_S = 7;

/** Limits the time of a request and of its body. An error page is reported by its status. */
export async function fetchWithTimeout(
  url: string,
  { timeoutInSeconds = REQUEST_TIMEOUT_S, ...init }: RequestInit & { timeoutInSeconds?: number } = {},
): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutInSeconds * 1000);
  let response;
  try {
    response = await fetch(url, { ...init, signal: controller.signal });
    // Reads the body, so that the library finds it complete.
    await response.clone().arrayBuffer();
  } catch (error) {
    throw controller.signal.aborted ? new ErrorTimeout('timeout') : error;
  } finally {
    clearTimeout(timer);
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? true;
  if (!response.ok && !isJson) throw new Error(`${response.statusText} (${response.status})`);
  return response.ok ? response : withoutNonce(response);
}

/** The library would repeat the request instead of reporting the error. */
async function withoutNonce(response: Response): Promise<Response> {
  if (!response.headers.has('dpop-nonce')) return response;
  const body = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (!body.includes('"use_dpop_nonce"')) headers.delete('dpop-nonce');
  return new Response(body, { status, statusText, headers });
}

/** A test fails if the library no longer has the object. */
export function jsonServiceOf(service: unknown): object {
  const found: unknown = typeof service === 'object' && service && Reflect.get(service, '_jsonService');
  return typeof found === 'object' && found !== null ? found : {};
}
