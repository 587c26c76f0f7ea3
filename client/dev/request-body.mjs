/**
 * Returns the body; fails if it is longer than 10,000 characters.
 * @param {import("node:http").IncomingMessage} request
 */
export async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 10_000) throw new Error('The request body is longer than 10,000 characters.');
  }
  return body;
}
