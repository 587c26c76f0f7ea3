// A test of a step's element for the console of the author's own page.

import { selectorOf } from '../../../../embed/player/target';
import type { Target } from '../../../../embed/player/types';

/**
 * Returns code for the console of a page that marks the element of a target for three seconds and returns the number
 * of matches. Searches like `findTarget` of the player, which is not loaded while no tour plays.
 */
export const consoleCheck = (target: Target): string => `(selector => {
  const findIn = root => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(element => {
      const inner = element.shadowRoot ?? element.contentDocument;
      return inner ? findIn(inner) : [];
    }),
  ];
  const found = findIn(document);
  const visible = found.filter(
    element =>
      element.getClientRects().length > 0 &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  );
  visible[0]?.scrollIntoView({ block: 'center' });
  visible[0]?.animate({ outline: ['4px solid red', '4px solid red'] }, 3000);
  return \`\${selector}: \${found.length} found, \${visible.length} visible\`;
})(${JSON.stringify(selectorOf(target))});
`;
