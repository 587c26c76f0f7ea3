/** The style of a theme, which the previews and the player need. */
import type { ThemeFields_ThemeFragment } from '../../generated/operations';
import { ThemeInputRules } from '../../generated/rules';

export type ThemeStyle = Pick<
  ThemeFields_ThemeFragment,
  | 'overlayOpacity'
  | 'stagePadding'
  | 'stageRadius'
  | 'popoverOffset'
  | 'animationMs'
  | 'overlayColor'
  | 'accentColor'
  | 'popoverWidth'
>;

const rules = ThemeInputRules.fields;

/** The schema's defaults for a new theme. */
export const defaultThemeStyle: ThemeStyle = {
  overlayOpacity: rules.overlayOpacity.default,
  stagePadding: rules.stagePadding.default,
  stageRadius: rules.stageRadius.default,
  popoverOffset: rules.popoverOffset.default,
  animationMs: rules.animationMs.default,
  overlayColor: rules.overlayColor.default,
  accentColor: rules.accentColor.default,
  popoverWidth: rules.popoverWidth.default,
};

/** Returns the style of a theme of the workspace. A null id selects the workspace's default theme. */
export const themeStyleOf = (
  themes: readonly (ThemeStyle & { id: string; isDefault: boolean })[],
  themeId: string | null,
): ThemeStyle => themes.find(each => (themeId === null ? each.isDefault : each.id === themeId)) ?? defaultThemeStyle;
