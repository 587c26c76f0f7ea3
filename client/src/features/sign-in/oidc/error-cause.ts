/** Returns the message of an error without secrets, for a report to the operator. */
import { ErrorResponse } from 'oidc-client-ts';

/** The maximum in characters. */
const MAX_LENGTH = 400;

export function causeOf(error: unknown): string {
  if (error instanceof ErrorResponse) {
    const { error: code, error_description: description, error_uri: page } = error;
    return withoutSecrets([code, description, page].filter(Boolean).join(' · '));
  }
  if (error instanceof Error) return withoutSecrets(`${error.name}: ${error.message}`);
  return withoutSecrets(String(error));
}

/** Removes JWTs, long words with digits, and the queries of addresses. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/eyJ[\w-]+(?:\.[\w-]*)*/g, '…')
    .replaceAll(/(https?:\/\/[^\s"'?#]+)[?#][^\s"']*/g, '$1?…')
    .replaceAll(/\b((?:\w+_)?(?:token|code|secret|assertion|verifier)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, '$1…')
    .replaceAll(/[\w+/~.-]{20,}/g, word => (/\d/.test(word) && !/^https?:|\//.test(word) ? '…' : word))
    .slice(0, MAX_LENGTH);
}
