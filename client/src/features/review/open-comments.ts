interface Said {
  readonly stepKey: string | null;
  readonly resolvedAt: string | null;
}

/** What is said about one step, and not settled yet. */
export const openOn = <Comment extends Said>(comments: readonly Comment[], stepKey: string): Comment[] =>
  comments.filter(each => each.stepKey === stepKey && each.resolvedAt === null);

/** What is open about the tour as a whole, and about steps that are not among these any more. */
export const openOnTour = <Comment extends Said>(comments: readonly Comment[], keys: readonly string[]): Comment[] =>
  comments.filter(each => each.resolvedAt === null && (each.stepKey === null || !keys.includes(each.stepKey)));
