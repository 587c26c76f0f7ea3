import { useState } from 'react';
import { TourSaveInputRules } from '../../../generated/rules';
import { checkInput } from '../../../generated/traitql';
import { t } from '../../../shared/i18n/en/editor';
import { t as fields } from '../../../shared/i18n/en/fields';
import { formatLanguage } from '../../../shared/i18n/format';
import { cx } from '../../../shared/lib/class-names';
import { download } from '../../../shared/lib/download';
import { formatProblem } from '../../../shared/lib/use-form';
import { Badge } from '../../../shared/ui/Badge';
import { Button, IconButton } from '../../../shared/ui/Button';
import { buttonStyle } from '../../../shared/ui/button-style';
import { Panel } from '../../../shared/ui/Card';
import { Field, Input, Select, Textarea } from '../../../shared/ui/Field';
import { toast } from '../../../shared/ui/toast';
import { saveInput, type DraftContent } from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import { LanguageSelect } from '../../tour/LanguageSelect';
import { readTranslations, translationFile } from '../../tour/translation-file';
import {
  addLocale,
  hasLocale,
  maxLengths,
  MAX_LOCALES,
  translatedTexts,
  translationFieldName,
  type TranslatedText,
} from '../../tour/translations';
import {
  addLocaleEdit,
  changeOriginalLocaleEdit,
  importEdit,
  removeLocaleEdit,
  translateEdit,
  type Edit,
} from '../model/edits';

interface Props {
  slug: string;
  content: DraftContent;
  /** The language whose texts are shown. Null if the tour has one language. */
  locale: string | null;
  readOnly: string | null;
  onLocale: (locale: string) => void;
  onEdit: (edit: Edit) => void;
}

export function LanguagesInspector(props: Props) {
  const { content, locale, readOnly, onLocale } = props;
  const targets = content.locales.slice(1);
  return (
    <div className="grid gap-5">
      <Panel title={t.languages.title} description={t.languages.description}>
        <fieldset disabled={readOnly !== null} className="grid min-w-0 gap-4">
          <legend className="sr-only">{t.languages.title}</legend>
          <OriginalField key={content.locales[0]} {...props} />
          {locale === null ? null : (
            <Field label={t.languages.translation} name="locale">
              <Select value={locale} onChange={event => onLocale(event.target.value)}>
                {targets.map(each => (
                  <option key={each} value={each}>
                    {formatLanguage(each)}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <AddLanguage key={content.locales.join()} {...props} />
        </fieldset>
      </Panel>
      {locale === null ? null : <Translation key={locale} {...props} locale={locale} />}
    </div>
  );
}

/** Returns null if the tag can be one of a tour. */
function tagProblem(content: DraftContent, tag: string): string | null {
  const changed = addLocale(content, tag);
  const found = checkInput(TourSaveInputRules, saveInput('-', 0, changed)).find(({ path }) =>
    path.startsWith('locales'),
  );
  return found ? formatProblem(found) : null;
}

function OriginalField({ content, onEdit }: Props) {
  const [tag, setTag] = useState(content.locales[0] ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const apply = (wanted: string) => {
    if (wanted === content.locales[0]) return setProblem(null);
    const isTaken = hasLocale({ ...content, locales: content.locales.slice(1) }, wanted);
    const found = isTaken ? t.languages.taken : tagProblem({ ...content, locales: [] }, wanted);
    setProblem(found);
    if (found === null) onEdit(changeOriginalLocaleEdit(wanted));
  };
  return (
    <Field label={t.languages.original} name="originalLocale" hint={t.languages.originalHint} error={problem}>
      <LanguageSelect value={tag} onChange={setTag} onLeave={apply} />
    </Field>
  );
}

function AddLanguage({ content, onEdit, onLocale }: Props) {
  const [tag, setTag] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const wanted = tag.trim();
    const found = hasLocale(content, wanted) ? t.languages.taken : tagProblem(content, wanted);
    setProblem(found);
    if (found !== null) return;
    onEdit(addLocaleEdit(wanted));
    onLocale(wanted);
  };
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <Field label={t.languages.add} name="newLocale" error={problem} className="grow">
        <div className="flex items-start gap-2">
          <span className="grow">
            <LanguageSelect value={tag} placeholder={t.languages.choose} onChange={setTag} />
          </span>
          <Button
            type="submit"
            icon="plus"
            reason={content.locales.length >= MAX_LOCALES ? t.languages.full(MAX_LOCALES) : null}
          >
            {t.languages.addIt}
          </Button>
        </div>
      </Field>
    </form>
  );
}

function Translation({ slug, content, locale, readOnly, onEdit }: Props & { locale: string }) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const texts = translatedTexts(content.steps, locale);
  const count = (state: TranslatedText['state']) => texts.filter(each => each.state === state).length;
  const language = formatLanguage(locale);

  const importFile = async (file: File | undefined) => {
    if (!file) return;
    const read = readTranslations(await file.text(), slug, content, locale);
    setProblems(read.problems ?? []);
    if (read.problems) return;
    onEdit(importEdit(locale, read.translations));
    toast(t.languages.imported(read.translations.length, language));
  };

  return (
    <Panel
      title={language}
      description={t.languages.state(count('missing'), count('outdated'))}
      actions={
        <IconButton
          label={t.languages.remove(language)}
          icon="trash"
          reason={readOnly}
          onClick={() => onEdit(removeLocaleEdit(locale))}
        />
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="small"
            onClick={() =>
              download(`${slug}.${locale}.json`, translationFile(slug, content, locale), 'application/json')
            }
          >
            {t.languages.export}
          </Button>
          {readOnly === null ? (
            <label
              className={cx(
                buttonStyle('secondary', 'small'),
                'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              )}
            >
              {t.languages.importIt}
              <input
                type="file"
                accept=".json,application/json"
                className="sr-only"
                onChange={event => {
                  void importFile(event.target.files?.[0]);
                  event.target.value = '';
                }}
              />
            </label>
          ) : null}
        </div>
        {problems.length > 0 ? (
          <div role="alert" className="rounded-control bg-danger-soft p-3 text-sm text-danger">
            <p className="font-medium">{t.languages.notImported}</p>
            <ul className="mt-1 list-disc pl-5 wrap-anywhere">
              {problems.map(each => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </div>
        ) : null}
        <fieldset disabled={readOnly !== null} className="grid min-w-0 gap-5">
          <legend className="sr-only">{language}</legend>
          {content.steps.map((step, index) => {
            const own = texts.flatMap((text, at) => (text.step === step.key ? [{ text, at }] : []));
            return own.length === 0 ? null : (
              <section key={step.key} className="grid min-w-0 gap-3">
                <h3 className="text-sm font-semibold">{t.languages.step(index + 1, stepName(step))}</h3>
                {own.map(({ text, at }) => (
                  <TextField
                    key={`${text.field} ${text.field === 'BRANCH_LABEL' ? text.original : ''}`}
                    name={translationFieldName(at)}
                    text={text}
                    from={content.locales[0] ?? ''}
                    to={locale}
                    onChange={translation => onEdit(translateEdit(locale, step, text, translation, at))}
                  />
                ))}
              </section>
            );
          })}
        </fieldset>
      </div>
    </Panel>
  );
}

function TextField({
  name,
  text: { field, original, text, state },
  from,
  to,
  onChange,
}: {
  name: string;
  text: TranslatedText;
  from: string;
  to: string;
  onChange: (text: string) => void;
}) {
  const control = {
    value: text,
    lang: to,
    dir: 'auto',
    maxLength: maxLengths[field],
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  } as const;
  return (
    <Field
      name={name}
      label={
        <span className="flex flex-wrap items-center gap-2">
          {fields.textFields[field]}
          {state === 'translated' ? null : <Badge tone="signal">{t.languages.states[state]}</Badge>}
        </span>
      }
      hint={
        state === 'outdated' ? (
          <button type="button" className="underline underline-offset-2" onClick={() => onChange(text)}>
            {t.languages.keep}
          </button>
        ) : null
      }
    >
      <div className="grid gap-2 @md:grid-cols-2">
        <p
          lang={from}
          dir="auto"
          className="rounded-control bg-sunken px-3 py-2 text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {original}
        </p>
        {field === 'BODY' ? <Textarea {...control} rows={4} /> : <Input {...control} />}
      </div>
    </Field>
  );
}
