/**
 * The provider is reachable, but CORS does not allow this page to read its responses. Because that looks like a network
 * error, a second request without CORS tests if the provider is reachable.
 */
export class CorsError extends Error {
  override name = 'CorsError';
}

/** Awaits a request. Replaces a network error by a `CorsError` if the provider is reachable. */
export async function withCorsError<T>(request: Promise<T>, isReachable: () => Promise<boolean>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!isNetworkError(error) || !(await isReachable())) throw error;
    throw new CorsError('The provider is reachable, but CORS does not allow this page to read its response.', {
      cause: error,
    });
  }
}

/** True for a request without a response, by the messages of Chromium, Firefox and Safari. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message);
}
