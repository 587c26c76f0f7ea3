/** Calls the API with the token of a page, for set-up that a test does not examine in the interface. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

interface Manifest {
  readonly operations: readonly { readonly name: string; readonly id: string }[];
}

const { operations } = JSON.parse(readFileSync('operations/generated/manifest.json', 'utf8')) as Manifest;

/** Sends an operation as the account that is signed in on the page. */
export function send(page: Page, name: string, variables: object): Promise<Record<string, Record<string, unknown>>> {
  const documentId = operations.find(each => each.name === name)?.id;
  return page.evaluate(
    async body => {
      const [, user = '{}'] =
        Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.user:')) ?? [];
      const { access_token: token } = JSON.parse(user) as { access_token: string };
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      };
      const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
      const { data, errors } = (await response.json()) as {
        data: Record<string, Record<string, unknown>>;
        errors?: unknown;
      };
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data;
    },
    { documentId, variables },
  );
}
