// Reads the small bodies that the development identity provider gets: a form, or the JSON of a test.

/** @param {import("node:http").IncomingMessage} request */
export async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 10_000) throw new Error('the body is too long');
  }
  return body;
}
