import { toAppError } from '../api/app-error';
import { t } from '../i18n/en/shell';
import { chooseLanguage, keysOf, useLanguage } from '../i18n/language';
import { languages, type Language } from '../i18n/locale';
import { setAppearance, useAppearance, type Appearance } from '../lib/appearance';
import { IconButton } from './Button';
import type { IconName } from './Icon';
import { Menu, MenuChoices, MenuSeparator } from './Menu';
import { toast } from './toast';

const icons: Readonly<Record<Appearance, IconName>> = { device: 'device', light: 'sun', dark: 'moon' };

export function AppearanceMenu() {
  const appearance = useAppearance();
  const language = useLanguage();
  const choices = keysOf(icons).map(value => ({ value, label: t.appearance[value], icon: icons[value] }));
  const languageChoices = keysOf(languages).map(value => ({ value, label: languages[value], lang: value }));
  return (
    <Menu trigger={<IconButton label={t.appearance.menu} icon={icons[appearance]} />}>
      <MenuChoices label={t.appearance.title} value={appearance} choices={choices} onChange={setAppearance} />
      <MenuSeparator />
      <MenuChoices label={t.appearance.language} value={language} choices={languageChoices} onChange={choose} />
    </Menu>
  );
}

function choose(language: Language): void {
  chooseLanguage(language).catch((error: unknown) => toast(toAppError(error).message, { tone: 'danger' }));
}
