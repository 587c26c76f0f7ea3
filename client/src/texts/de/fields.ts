import type { FieldsTexts } from '../fields';

export const fields: FieldsTexts = {
  step: { key: 'Schlüssel', kind: 'Art', title: 'Titel', body: 'Text', target: 'Element', side: 'Seite des Popovers', nextLabel: 'Aufschrift von Weiter', backLabel: 'Aufschrift von Zurück', doneLabel: 'Aufschrift von Fertig', missingTarget: 'Wenn das Element fehlt', waitMs: 'Auf das Element warten', page: 'Nur auf Seiten', advance: 'Ende des Schritts', branches: 'Abzweigungen', blockPage: 'Die Seite sperren' },
  start: { trigger: 'Startet', event: 'Ereignis', frequency: 'Wie oft', everyDays: 'Tage, bis sie wiederkommt', page: 'Nur auf Seiten', when: 'Nur wenn', delayMs: 'Verzögerung', priority: 'Vorrang', ignoreQuietHours: 'In der Ruhezeit' },
  kinds: { SPOTLIGHT: 'Neben einem Element', POINTER: 'Zeiger', MODAL: 'In der Mitte', HINT: 'Hinweis', WAIT: 'Warten' },
  sides: { AUTO: 'Wo Platz ist', TOP: 'Darüber', RIGHT: 'Rechts davon', BOTTOM: 'Darunter', LEFT: 'Links davon' },
  missing: { SKIP_STEP: 'Diesen Schritt überspringen', SHOW_CENTERED: 'In der Mitte zeigen', END_RUN: 'Die Tour beenden' },
  triggers: { AUTO: 'Von selbst', MANUAL: 'Wenn die Seite danach fragt', EVENT: 'Wenn die Seite ein Ereignis meldet' },
  frequencies: { ONCE: 'Einmal für jeden Besucher', EVERY_N_DAYS: 'Nach einigen Tagen wieder', UNTIL_COMPLETED: 'Auch bei späteren Besuchen, bis sie zu Ende ist', ALWAYS: 'Bei jedem Besuch' },
  selector: 'CSS-Selektor',
  everyPage: 'Jede Seite',
  noDelay: 'Keine',
  named: name => `„${name}“`,
};
