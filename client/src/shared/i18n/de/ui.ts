import type { UiTexts } from '../en/ui';

export const ui: UiTexts = {
  cannotCopy: 'Ihr Browser erlaubt hier kein Kopieren. Markieren Sie den Text, und kopieren Sie ihn von Hand.',
  builtIn: 'Integriert',
  copied: 'Kopiert',
  copy: 'Kopieren',
  copyCode: 'Code kopieren',
  secret: {
    notCopied: 'Sie haben den Wert noch nicht kopiert, und er wird nicht noch einmal angezeigt.',
    close: 'Ohne Kopieren schließen',
  },
  optional: 'optional',
  showMore: 'Mehr anzeigen',
  newerVersion: {
    saved: 'Jemand hat eine neuere Version gespeichert:',
    show: 'anzeigen',
    or: 'oder',
    keep: 'mit der eigenen überschreiben',
  },
  selectAll: 'Alle Zeilen auswählen',
  select: name => `${name} auswählen`,
  leave: {
    title: 'Seite ohne Speichern verlassen?',
    leave: 'Ohne Speichern verlassen',
    stay: 'Weiter bearbeiten',
  },
  notices: 'Benachrichtigungen (F8)',
  dismiss: 'Ausblenden',
  failures: {
    offline: 'Sie sind offline',
    unreachable: 'Der Server ist nicht erreichbar',
    checkConnection:
      'Prüfen Sie Ihre Verbindung. Nicht gespeicherte Änderungen bleiben auf diesem Gerät, bis der Server wieder antwortet.',
    unexpected: 'Unerwartete Antwort',
    unexpectedAdvice:
      'Die Antwort kam nicht von Waypost. Meist liegt es an einem Proxy oder daran, dass der Server gerade neu startet. Versuchen Sie es noch einmal. Bleibt das Problem, wenden Sie sich an die Administration.',
    refused: 'Der Server hat die Anfrage abgelehnt',
    stopped: 'Anfrage abgebrochen',
    tryAgain: 'Versuchen Sie es noch einmal.',
    broken: 'Etwas ist schiefgelaufen',
    brokenAdvice: 'Laden Sie die Seite neu. Tritt das Problem wieder auf, melden Sie es mit den Details unten.',
    notAccepted: 'Ihre Anmeldung wird hier nicht akzeptiert',
    notAcceptedAdvice:
      'Dieser Server hat das Token Ihres Identitätsanbieters abgelehnt. Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem, hilft eine neue Anmeldung nicht: Bitten Sie die Administration, „waypost doctor oidc“ auszuführen.',
    opaqueToken: 'Dieser Server kann Ihre Anmeldung nicht prüfen',
    opaqueTokenAdvice:
      'Ihr Identitätsanbieter stellt undurchsichtige (opaque) Zugriffstoken aus, und der Server ist nicht dafür eingerichtet, sie zu prüfen. Eine neue Anmeldung hilft nicht: Bitten Sie die Administration, WAYPOST_OIDC_TOKEN oder WAYPOST_OIDC_RESOURCE zu setzen. „waypost doctor oidc“ zeigt, welche der beiden Einstellungen passt.',
    signOut: 'Abmelden',
    forbidden: 'Ihnen fehlt die Berechtigung',
    notFound: 'Nicht gefunden',
    unauthenticated: 'Melden Sie sich an, um fortzufahren',
    reference: id => `Referenz ${id}`,
  },
  keys: {
    mod: 'Strg',
    shift: 'Umschalt',
    enter: 'Eingabe',
    alt: 'Alt',
    pageup: 'Bild ↑',
    pagedown: 'Bild ↓',
    delete: 'Entf',
    escape: 'Esc',
  },
};
