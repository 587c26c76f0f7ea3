import { t } from '../../shared/i18n/en/editor';
import { t as fields } from '../../shared/i18n/en/fields';
import { formatLanguage, formatList } from '../../shared/i18n/format';
import { stepFields, type Change, type Difference } from './difference';
import { sameValue, type DraftContent, type Step } from './draft';
import { formatStartField, stepName, formatStepField } from './format-field';

export interface FormattedDifference {
  /** The thing that has changed, for example a step. */
  readonly subject: string;
  /** Empty for a whole part. */
  readonly field: string;
  /** Null for a whole step. */
  readonly before: string | null;
  readonly mine: string;
  readonly theirs: string;
  /** True if the values are worth a word diff. */
  readonly isFreeText: boolean;
}

export interface Versions {
  readonly base: DraftContent;
  readonly mine: DraftContent;
  readonly theirs: DraftContent;
}

export function formatDifference(
  { part, mine, theirs }: Difference,
  versions: Versions,
  themeName: (id: string | null) => string,
): FormattedDifference {
  const each = (read: (content: DraftContent) => string) => ({
    before: read(versions.base),
    mine: read(versions.mine),
    theirs: read(versions.theirs),
  });
  switch (part.kind) {
    case 'start':
      return {
        subject: t.difference.start,
        field: fields.start[part.field],
        ...each(content => formatStartField(content.start, part.field)),
        isFreeText: false,
      };
    case 'theme':
      return {
        subject: t.difference.theme,
        field: '',
        ...each(content => themeName(content.themeId)),
        isFreeText: false,
      };
    case 'locales':
      return {
        subject: t.difference.languages,
        field: '',
        ...each(content => formatList(content.locales.map(formatLanguage))),
        isFreeText: false,
      };
    case 'order':
      return { subject: t.difference.order, field: '', ...each(formatOrder), isFreeText: false };
    case 'field':
      return {
        subject: t.difference.step(stepNameOf(part.key, versions)),
        field: fields.step[part.field],
        ...each(content => {
          const step = find(content, part.key);
          return step ? formatStepField(step, part.field, content.steps) : '';
        }),
        isFreeText: part.field === 'title' || part.field === 'body' || part.field === 'translations',
      };
    case 'step':
      return {
        subject: t.difference.step(stepNameOf(part.key, versions)),
        field: '',
        before: null,
        mine: formatStepChange(mine, find(versions.base, part.key), find(versions.mine, part.key)),
        theirs: formatStepChange(theirs, find(versions.base, part.key), find(versions.theirs, part.key)),
        isFreeText: false,
      };
    default:
      return part satisfies never;
  }
}

function formatStepChange(change: Change, before: Step | undefined, after: Step | undefined): string {
  switch (change) {
    case 'same':
      return after ? t.difference.unchanged : t.difference.missing;
    case 'added':
      return t.difference.added;
    case 'removed':
      return t.difference.deleted;
    case 'changed': {
      const changed = stepFields.filter(field => !before || !after || !sameValue(before[field], after[field]));
      return t.difference.changed(changed.map(field => fields.step[field]));
    }
    default:
      return change satisfies never;
  }
}

const find = (content: DraftContent, key: string) => content.steps.find(step => step.key === key);

const stepNameOf = (key: string, { base, mine, theirs }: Versions): string =>
  stepName(find(mine, key) ?? find(base, key) ?? find(theirs, key) ?? { key, title: '' });

const formatOrder = (content: DraftContent): string =>
  content.steps.map((step, index) => `${index + 1}. ${step.title || step.key}`).join('\n');
