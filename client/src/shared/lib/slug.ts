/** Suggests a slug for a name in the schema's format SLUG: `Getting started!` becomes `getting-started`. */
export function suggestSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return slug;
}

/** Returns the slug after a change of the name: a new suggestion, unless the user has entered another slug. */
export const slugFor = (newName: string, { name, slug }: { name: string; slug: string }): string =>
  slug === '' || slug === suggestSlug(name) ? suggestSlug(newName) : slug;
