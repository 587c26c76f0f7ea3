/** Field policies of Apollo Client's cache, used by `cache.ts`. */

/** The parts of a connection that are merged. */
export interface Page {
  readonly nodes?: readonly unknown[];
  readonly edges?: readonly unknown[];
  readonly pageInfo?: object;
}

interface FieldOptions {
  readonly args: Readonly<Record<string, unknown>> | null;
}

/** Replaces the cached value: for complete lists and embedded objects. */
export const replace = { merge: false as const };

/** Merges the results of several operations: for singletons without an id. */
export const merge = { merge: true as const };

/** Reads an object that is already cached by its id, without another request. */
export const lookupById = (type: string) => ({
  read: (
    existing: unknown,
    { args, toReference }: FieldOptions & { toReference: (of: { __typename: string; id: string }) => unknown },
  ): unknown => (existing === undefined ? toReference({ __typename: type, id: String(args?.['id']) }) : existing),
});

/** Merges the pages of a connection. Each combination of `keyArgs` is a separate list, and a first page replaces its list. */
export const pages = (keyArgs: string[]) => ({
  keyArgs: keyArgs.length > 0 ? keyArgs : (false as const),
  merge: (existing: Page | null | undefined, incoming: Page | null, { args }: FieldOptions): Page | null => {
    if (!existing || !incoming) return incoming;
    if (args?.['after']) return mergedPages(existing, incoming);
    if (args?.['before']) return mergedPages(incoming, existing);
    return incoming;
  },
});

/**
 * Policies that parse custom scalars when they are read: pass them to `cache.policies.addTypePolicies`. `parse`
 * receives single non-null values. Results of mutations are not read from the cache, so they contain unparsed values.
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

function mergedPages(before: Page, after: Page): Page {
  const first: Readonly<Record<string, unknown>> = { ...before.pageInfo };
  const start = Object.fromEntries(
    ['startCursor', 'hasPreviousPage'].filter(name => name in first).map(name => [name, first[name]]),
  );
  return {
    ...before,
    ...after,
    ...(before.nodes && after.nodes ? { nodes: concatenated(before.nodes, after.nodes) } : {}),
    ...(before.edges && after.edges ? { edges: concatenated(before.edges, after.edges) } : {}),
    ...(after.pageInfo ? { pageInfo: { ...after.pageInfo, ...start } } : {}),
  };
}

/** Concatenates without duplicates: two components can load the same page, and rows can move between pages. */
function concatenated(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const known = new Set(before.map(identity));
  known.delete(undefined);
  return [...before, ...after.filter(item => !known.has(identity(item)))];
}

/** Returns the cache reference of a node, or of an edge's node. */
function identity(item: unknown): unknown {
  const { __ref, node } = (item ?? {}) as { __ref?: string; node?: { __ref?: string } | null };
  return __ref ?? node?.__ref;
}
