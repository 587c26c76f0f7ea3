/** The browser did not store the key to which tokens are bound. */
export class KeyError extends Error {
  override name = 'KeyError';
}
