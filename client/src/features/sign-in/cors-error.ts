/**
 * A provider that answers, and lets this page read nothing: its pages may not be called from here (CORS). To a page that
 * looks like no answer at all, so it is asked once more in a way that every server allows and that tells nothing else.
 */
export class CorsError extends Error {
  override name = 'CorsError';
}

/** `asked`; when it got no answer although there is somebody who answers, its failure says so. */
export async function orCorsError<T>(asked: Promise<T>, answers: () => Promise<boolean>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!isUnanswered(error) || !(await answers())) throw error;
    throw new CorsError('It answers, but this page may not read what (CORS).', { cause: error });
  }
}

/** What Chromium, Firefox and Safari call a request without an answer. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message);
}
