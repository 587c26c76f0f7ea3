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

/**
 * Policies that turn the texts of custom scalars into values when they are read: pass them to `cache.policies.addTypePolicies`.
 * `parse` gets what is neither null nor a list. What a mutation answers does not come from the cache and stays as it was sent.
 */
export function scalarPolicies<Scalar extends string>(
  scalarFields: Readonly<Record<string, Readonly<Record<string, Scalar>>>>,
  parse: Readonly<Partial<Record<Scalar, (value: unknown) => unknown>>>,
) {
  const parsed = (value: unknown, one: (value: unknown) => unknown): unknown => {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map(each => parsed(each, one)) : one(value);
  };
  const policies: Record<string, { fields: Record<string, { read: (existing: unknown) => unknown }> }> = {};
  for (const [type, scalars] of Object.entries(scalarFields)) {
    for (const [field, scalar] of Object.entries(scalars)) {
      const one = parse[scalar];
      if (one) (policies[type] ??= { fields: {} }).fields[field] = { read: existing => parsed(existing, one) };
    }
  }
  return policies;
}

function joined(before: Page, after: Page): Page {
  const first: Readonly<Record<string, unknown>> = { ...before.pageInfo };
  const start = Object.fromEntries(
    ['startCursor', 'hasPreviousPage'].filter(name => name in first).map(name => [name, first[name]]),
  );
  return {
    ...before,
    ...after,
    ...(before.nodes && after.nodes ? { nodes: together(before.nodes, after.nodes) } : {}),
    ...(before.edges && after.edges ? { edges: together(before.edges, after.edges) } : {}),
    ...(after.pageInfo ? { pageInfo: { ...after.pageInfo, ...start } } : {}),
  };
}

/** What both pages have is kept once: two components may ask for the same page, and rows may move between pages. */
function together(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const known = new Set(before.map(identity));
  known.delete(undefined);
  return [...before, ...after.filter(item => !known.has(identity(item)))];
}

/** What a node, or the node of an edge, is known by in the cache. */
function identity(item: unknown): unknown {
  const { __ref, node } = (item ?? {}) as { __ref?: string; node?: { __ref?: string } | null };
  return __ref ?? node?.__ref;
}
