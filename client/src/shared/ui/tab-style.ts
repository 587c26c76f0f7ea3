/** The look of links that switch between the parts of one thing. */
export const tabStyle =
  '-mb-px inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-ink data-[status=active]:border-brand data-[status=active]:text-ink';
