/**
 * A provider that is down, a response that CORS blocks, and a proxy's error page are the same network error, so a probe
 * distinguishes them.
 */

/** `unavailable` if it or its proxy responds with errors only. */
export type Availability = 'available' | 'unavailable' | 'unreachable';

/** The provider is available. */
export class CorsError extends Error {
  override name = 'CorsError';
}

export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

export function unavailableError(cause?: unknown): UnavailableError {
  return new UnavailableError('The provider responds with an error page.', { cause });
}

/** Replaces a network error by a `CorsError` or an `UnavailableError` if the provider responds. */
export async function withNetworkCause<T>(request: Promise<T>, probe: () => Promise<Availability>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    switch (await probe()) {
      case 'available':
        throw new CorsError('The provider is reachable, but CORS does not allow this page to read its response.', {
          cause: error,
        });
      case 'unavailable':
        throw unavailableError(error);
      default:
        throw error;
    }
  }
}

/** Detects a missing response by the messages of Chromium, Firefox and Safari. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message);
}
