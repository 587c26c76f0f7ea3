/** Tokens for tests. They are signed by nobody: the client never verifies a signature. */
export function jwt(claims: object): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

function encoded(part: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(part));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
