import { useState } from 'react';
import { TourCreateInputRules } from '../../generated/rules';
import { t } from '../../shared/i18n/en/tour';
import { formatLanguage, sortedLanguages } from '../../shared/i18n/format';
import { Input, Select } from '../../shared/ui/Field';

/** Frequent languages of web pages, as tags (BCP 47). Every other one can be entered. */
export const LANGUAGES: readonly string[] =
  'ar bg bs ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-MX et eu fa fi fil fr fr-CA fr-CH ga gl he hi hr hu id is it it-CH ja ko lt lv mk ms mt nb nl nl-BE pl pt pt-BR ro ru sk sl sq sr sv th tr uk vi zh-CN zh-TW'.split(
    ' ',
  );

const OTHER = 'other';

/** A control for a `Field`. */
export function LanguageSelect({
  value,
  placeholder,
  onChange,
  onLeave,
}: {
  /** Empty if none is chosen. */
  value: string;
  /** The choice of no language, if that is possible. */
  placeholder?: string;
  onChange: (tag: string) => void;
  /** Called with a chosen language, and with an entered one when the field loses the focus. */
  onLeave?: (tag: string) => void;
}) {
  const [isEntered, setEntered] = useState(value !== '' && !LANGUAGES.includes(value));
  return (
    <span className="grid gap-2">
      <Select
        value={isEntered ? OTHER : value}
        onChange={event => {
          const isOther = event.target.value === OTHER;
          setEntered(isOther);
          onChange(isOther ? '' : event.target.value);
          if (!isOther) onLeave?.(event.target.value);
        }}
      >
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {sortedLanguages(LANGUAGES).map(tag => (
          <option key={tag} value={tag}>
            {formatLanguage(tag)}
          </option>
        ))}
        <option value={OTHER}>{t.language.other}</option>
      </Select>
      {isEntered ? (
        <Input
          id={undefined}
          aria-label={t.language.tag}
          value={value}
          maxLength={TourCreateInputRules.fields.locale.length.max}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={t.language.example}
          className="font-mono"
          onChange={event => onChange(event.target.value.trim())}
          onBlur={() => onLeave?.(value)}
        />
      ) : null}
    </span>
  );
}
