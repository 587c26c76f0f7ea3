import { t } from '../../shared/i18n/en/theme';
import { Input } from '../../shared/ui/Field';

export function ColorField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const valid = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <span className="flex gap-2">
      <input
        type="color"
        aria-label={t.pick(label)}
        value={valid ? value : '#000000'}
        onChange={event => onChange(event.target.value)}
        className="h-10 w-11 shrink-0 cursor-pointer rounded-control border border-edge bg-surface p-1"
      />
      <Input
        value={value}
        onChange={event => onChange(event.target.value)}
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono"
      />
    </span>
  );
}
