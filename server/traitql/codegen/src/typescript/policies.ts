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
    if (args?.['after']) return mergedPages(existing, incoming, 'end');
    if (args?.['before']) return mergedPages(existing, incoming, 'start');
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

/** Adds a page at one end. A page that is loaded again keeps its place, also if rows were added to it. */
function mergedPages(existing: Page, incoming: Page, end: 'start' | 'end'): Page {
  const nodes = existing.nodes && incoming.nodes && mergedItems(existing.nodes, incoming.nodes, end);
  const edges = existing.edges && incoming.edges && mergedItems(existing.edges, incoming.edges, end);
  const at = end === 'end' ? -1 : 0;
  const [outermost, items] = edges ? [incoming.edges?.at(at), edges] : [incoming.nodes?.at(at), nodes];
  // Otherwise the page is in the middle of the list, and its information is not about an end of it.
  const isAtEnd = outermost === undefined || items === undefined || isSame(items.at(at), outermost);
  const info: Readonly<Record<string, unknown>> = { ...existing.pageInfo };
  const kept = Object.keys(info).filter(name => !isAtEnd || !PAGE_INFO[end].includes(name));
  return {
    ...existing,
    ...incoming,
    ...(nodes ? { nodes } : {}),
    ...(edges ? { edges } : {}),
    ...(incoming.pageInfo
      ? { pageInfo: { ...incoming.pageInfo, ...Object.fromEntries(kept.map(name => [name, info[name]])) } }
      : {}),
  };
}

const PAGE_INFO = {
  start: ['startCursor', 'hasPreviousPage'],
  end: ['endCursor', 'hasNextPage'],
};

/** Merges without duplicates: two components can load the same page, and rows can move between pages. */
function mergedItems(existing: readonly unknown[], incoming: readonly unknown[], end: 'start' | 'end') {
  const items = [...existing];
  const known = items.findIndex(item => incoming.some(other => isSame(item, other)));
  let at = known >= 0 ? known : end === 'end' ? items.length : 0;
  for (const item of incoming) {
    const index = items.findIndex(other => isSame(item, other));
    if (index >= 0) {
      at = index + 1;
    } else {
      items.splice(at, 0, item);
      at += 1;
    }
  }
  return items;
}

function isSame(item: unknown, other: unknown): boolean {
  const id = identity(item);
  return id === undefined ? item === other : id === identity(other);
}

/** Returns the cache reference of a node, or of an edge's node. */
function identity(item: unknown): unknown {
  const { __ref, node } = (item ?? {}) as { __ref?: string; node?: { __ref?: string } | null };
  return __ref ?? node?.__ref;
}
