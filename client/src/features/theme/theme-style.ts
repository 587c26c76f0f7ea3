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
  | 'popoverRadius'
  | 'buttonRadius'
  | 'fontFamily'
  | 'showStepCount'
>;

const rules = ThemeInputRules.fields;

/** The defaults of the schema. */
export const defaultThemeStyle: ThemeStyle = {
  overlayOpacity: rules.overlayOpacity.default,
  stagePadding: rules.stagePadding.default,
  stageRadius: rules.stageRadius.default,
  popoverOffset: rules.popoverOffset.default,
  animationMs: rules.animationMs.default,
  overlayColor: rules.overlayColor.default,
  accentColor: rules.accentColor.default,
  popoverWidth: rules.popoverWidth.default,
  popoverRadius: rules.popoverRadius.default,
  buttonRadius: rules.buttonRadius.default,
  fontFamily: rules.fontFamily.default,
  showStepCount: rules.showStepCount.default,
};

export const themeStyleOf = (
  themes: readonly (ThemeStyle & { id: string; isDefault: boolean })[],
  themeId: string | null,
): ThemeStyle => themes.find(each => (themeId === null ? each.isDefault : each.id === themeId)) ?? defaultThemeStyle;
