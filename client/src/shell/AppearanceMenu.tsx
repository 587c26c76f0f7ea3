import { setAppearance, useAppearance, type Appearance } from '../lib/appearance';
import { IconButton } from '../ui/Button';
import type { IconName } from '../ui/Icon';
import { Menu, MenuChoices } from '../ui/Menu';

const choices = [
  { value: 'device', label: 'As the device', icon: 'device' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
] as const satisfies readonly { value: Appearance; label: string; icon: IconName }[];

export function AppearanceMenu() {
  const appearance = useAppearance();
  const icon = choices.find(each => each.value === appearance)?.icon ?? 'device';
  return (
    <Menu trigger={<IconButton label="Appearance" icon={icon} />}>
      <MenuChoices label="Appearance" value={appearance} choices={choices} onChange={setAppearance} />
    </Menu>
  );
}
