import type { ComponentProps } from 'react';
import { TourCreateInputRules } from '../../generated/rules';
import { Input } from '../../shared/ui/Field';

export const LanguageInput = (props: ComponentProps<typeof Input>) => (
  <Input
    maxLength={TourCreateInputRules.fields.locale.length.max}
    spellCheck={false}
    autoCapitalize="none"
    className="max-w-48 font-mono"
    {...props}
  />
);
