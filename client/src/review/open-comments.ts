/** What is said about one step, and not settled yet. */
export const openOn = <Comment extends { readonly stepKey: string | null; readonly resolvedAt: string | null }>(
  comments: readonly Comment[],
  stepKey: string,
): Comment[] => comments.filter(each => each.stepKey === stepKey && each.resolvedAt === null);
