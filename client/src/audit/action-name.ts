/** What somebody did, as a verb: `tour.release` becomes "released the tour". The actions are the schema's `@audited`. */
const verbs: Readonly<Record<string, string>> = {
  add: 'added the',
  archive: 'archived the',
  create: 'created the',
  default: 'made the default the',
  delete: 'deleted the',
  end: 'ended the',
  release: 'released the',
  remove: 'removed the',
  rename: 'renamed the',
  restore: 'restored the',
  role: 'changed the role of the',
  rollback: 'rolled back the',
  rotate: 'replaced the key of the',
  update: 'changed the',
};

export function actionName(action: string): string {
  const [noun = '', ...rest] = action.split('.');
  const verb = verbs[rest.at(-1) ?? ''];
  return verb ? `${verb} ${noun}` : action;
}
