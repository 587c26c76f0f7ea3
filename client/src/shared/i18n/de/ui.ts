import type { UiTexts } from '../en/ui';

export const ui: UiTexts = {
  cannotCopy: 'Der Browser erlaubt das Kopieren hier nicht. Bitte den Text markieren und kopieren.',
  copied: 'Kopiert',
  optional: 'optional',
  showMore: 'Mehr zeigen',
  newerVersion: {
    saved: 'Jemand hat eine neuere Fassung gespeichert:',
    show: 'anzeigen',
    or: 'oder',
    keep: 'mit der eigenen überschreiben',
  },
  notices: 'Meldungen (F8)',
  dismiss: 'Ausblenden',
  failures: {
    offline: 'Keine Internetverbindung',
    unreachable: 'Der Server ist nicht erreichbar',
    checkConnection:
      'Bitte die Verbindung prüfen. Nicht gespeicherte Änderungen bleiben auf diesem Gerät, bis der Server wieder antwortet.',
    strange: 'Die Antwort war nicht zu verstehen',
    strangeAdvice:
      'Etwas hat geantwortet, aber nicht so wie Waypost: oft ein Proxy oder ein Server, der gerade neu startet. Bitte noch einmal versuchen und es dem Betreiber melden, wenn es so bleibt.',
    refused: 'Der Server hat abgelehnt',
    stopped: 'Die Anfrage wurde abgebrochen',
    tryAgainPlease: 'Bitte noch einmal versuchen.',
    broken: 'In dieser Seite ist etwas kaputt',
    brokenAdvice: 'Bitte die Seite neu laden. Wenn es wieder geschieht, den Text unten mitschicken und es melden.',
    notAccepted: 'Diese Anmeldung gilt hier nicht',
    notAcceptedAdvice: reason =>
      `${reason} Bitte ab- und wieder anmelden. Bleibt es so, hilft der Betreiber dieser Installation weiter: „waypost doctor oidc“ prüft ihre Einstellungen.`,
    forbidden: 'Dafür fehlt die Berechtigung',
    notFound: 'Hier ist nichts',
    unauthenticated: 'Bitte anmelden',
    reference: id => `Referenz ${id}`,
  },
  keys: {
    mod: 'Strg',
    shift: 'Umschalt',
    alt: 'Alt',
    pageup: 'Bild ↑',
    pagedown: 'Bild ↓',
    delete: 'Entf',
    escape: 'Esc',
  },
};
