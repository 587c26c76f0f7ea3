import type { FieldsTexts } from '../fields';

export const fields: FieldsTexts = {
  step: { key: 'Schlüssel', kind: 'Art', title: 'Titel', body: 'Text', target: 'Element', side: 'Seite des Popovers', nextLabel: 'Aufschrift von Weiter', backLabel: 'Aufschrift von Zurück', doneLabel: 'Aufschrift von Fertig', missingTarget: 'Wenn das Element fehlt', waitMs: 'Auf das Element warten' },
  start: { trigger: 'Startet', frequency: 'Wie oft', page: 'Nur auf Seiten', delayMs: 'Verzögerung' },
  kinds: { SPOTLIGHT: 'Neben einem Element', MODAL: 'In der Mitte' },
  sides: { AUTO: 'Wo Platz ist', TOP: 'Darüber', RIGHT: 'Rechts davon', BOTTOM: 'Darunter', LEFT: 'Links davon' },
  missing: { SKIP_STEP: 'Diesen Schritt überspringen', SHOW_CENTERED: 'In der Mitte zeigen', END_RUN: 'Die Tour beenden' },
  triggers: { AUTO: 'Von selbst', MANUAL: 'Wenn die Seite danach fragt' },
  frequencies: { ONCE: 'Einmal für jeden Besucher', UNTIL_COMPLETED: 'Auch bei späteren Besuchen, bis sie zu Ende ist', ALWAYS: 'Bei jedem Besuch' },
  selector: 'CSS-Selektor',
  everyPage: 'Jede Seite',
  noDelay: 'Keine',
  named: name => `„${name}“`,
};
