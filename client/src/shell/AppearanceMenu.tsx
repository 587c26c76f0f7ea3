import { toAppError } from '../api/errors';
import { setAppearance, useAppearance, type Appearance } from '../lib/appearance';
import { chooseLanguage, keysOf, languages, useLanguage, type Language } from '../lib/language';
import { t } from '../texts/shell';
import { IconButton } from '../ui/Button';
import type { IconName } from '../ui/Icon';
import { Menu, MenuChoices, MenuLine } from '../ui/Menu';
import { toast } from '../ui/toast';

const icons: Readonly<Record<Appearance, IconName>> = { device: 'device', light: 'sun', dark: 'moon' };

/** Light or dark, and the language. */
export function AppearanceMenu() {
  const appearance = useAppearance();
  const language = useLanguage();
  const choices = keysOf(icons).map(value => ({ value, label: t.appearance[value], icon: icons[value] }));
  const tongues = keysOf(languages).map(value => ({ value, label: languages[value], lang: value }));
  return (
    <Menu trigger={<IconButton label={t.appearance.menu} icon={icons[appearance]} />}>
      <MenuChoices label={t.appearance.title} value={appearance} choices={choices} onChange={setAppearance} />
      <MenuLine />
      <MenuChoices label={t.appearance.language} value={language} choices={tongues} onChange={choose} />
    </Menu>
  );
}

function choose(language: Language): void {
  chooseLanguage(language).catch((error: unknown) => toast(toAppError(error).message, { tone: 'danger' }));
}
