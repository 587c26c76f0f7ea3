/** The ways in which Apollo Client's cache keeps the fields of `cache.ts`. */

/** A page of a list, as far as pages are put together. */
export interface Page {
  readonly nodes?: readonly unknown[];
  readonly edges?: readonly unknown[];
  readonly pageInfo?: object;
}

interface Asked {
  readonly args: Readonly<Record<string, unknown>> | null;
}

/** The list that comes is the whole list, and an embedded value is one value. */
export const replaced = { merge: false as const };

/** There is one such thing: what several operations know about it belongs together. */
export const merged = { merge: true as const };

/** What was loaded under its identity needs no second request. */
export const identified = (type: string) => ({
  read: (
    existing: unknown,
    { args, toReference }: Asked & { toReference: (of: { __typename: string; id: string }) => unknown },
  ): unknown => (existing === undefined ? toReference({ __typename: type, id: String(args?.['id']) }) : existing),
});

/** A connection. `keyArgs` tell lists apart; a further page joins its list, and a first page begins it anew. */
export const pages = (keyArgs: string[]) => ({
  keyArgs: keyArgs.length > 0 ? keyArgs : (false as const),
  merge: (existing: Page | null | undefined, incoming: Page | null, { args }: Asked): Page | null => {
    if (!existing || !incoming) return incoming;
    if (args?.['after']) return joined(existing, incoming);
    if (args?.['before']) return joined(incoming, existing);
    return incoming;
  },
});

function joined(before: Page, after: Page): Page {
  const first: Readonly<Record<string, unknown>> = { ...before.pageInfo };
  const start = Object.fromEntries(
    ['startCursor', 'hasPreviousPage'].filter(name => name in first).map(name => [name, first[name]]),
  );
  return {
    ...before,
    ...after,
    ...(before.nodes && after.nodes ? { nodes: [...before.nodes, ...after.nodes] } : {}),
    ...(before.edges && after.edges ? { edges: [...before.edges, ...after.edges] } : {}),
    ...(after.pageInfo ? { pageInfo: { ...after.pageInfo, ...start } } : {}),
  };
}
