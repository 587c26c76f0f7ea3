import type { AuthTexts } from '../en/auth';

export const auth: AuthTexts = {
  page: {
    loadingWaypost: 'Waypost wird geladen',
    signingIn: 'Sie werden angemeldet',
    moment: 'Einen Moment',
    details: 'Details',
    loadingSession: 'Sitzung wird geladen',
    signIn: 'Bei Waypost anmelden',
    tagline: 'Geführte Touren für Ihre Websites schreiben, veröffentlichen und sehen, wer sie abschließt.',
    signedOut: 'Sie sind abgemeldet',
    sessionRemoved: 'Ihre Sitzung wurde aus diesem Browser entfernt.',
    remains: provider =>
      `Ihre Sitzung wurde aus diesem Browser entfernt, aber Sie sind bei ${provider} noch angemeldet. Melden Sie sich auf einem gemeinsam genutzten Computer auch dort ab.`,
  },
  titles: {
    failed: 'Anmeldung fehlgeschlagen',
    accessDenied: 'Zugriff verweigert',
    unavailable: 'Anmelden ist gerade nicht möglich',
    insecureContext: 'Zum Anmelden ist eine sichere Adresse nötig',
  },
  start: {
    unreachable: {
      title: 'Waypost ist nicht erreichbar',
      text: 'Der Server antwortet nicht. Prüfen Sie Ihre Verbindung: Zum Anmelden sind der Server und Ihr Identitätsanbieter nötig. Ihre Arbeit geht nicht verloren.',
    },
    noProvider: {
      title: 'Die Anmeldung ist noch nicht eingerichtet',
      text: 'Auf diesem Server ist kein Identitätsanbieter konfiguriert. „waypost --help“ listet die Einstellungen auf.',
    },
  },
  menu: {
    renewed: {
      frame: 'Sitzung in verborgenem Frame erneuert.',
      'refresh-token': 'Sitzung mit dem Refresh-Token erneuert.',
      window: 'Sitzung in einem Fenster erneuert.',
    },
    account: 'Mein Konto',
    sessionOf: name => (name === null ? 'Kontomenü' : `Kontomenü von ${name}`),
    roleHere: role => `Rolle: ${role}`,
    until: (time, then) => (
      <>
        Sitzung bis {time}, {then}
      </>
    ),
    signInAgain: 'danach neu anmelden',
    notRenewed: 'konnte nicht erneuert werden',
    details: 'Details zur Anmeldung',
    signOut: 'Abmelden',
    failed: 'Sitzung nicht erneuert',
    slow: 'Sitzung noch nicht erneuert',
    failedText: (until, name) =>
      `Ihre Sitzung dauert bis ${until}. Um sie zu verlängern, melden Sie sich erneut ${name === null ? '' : `als ${name} `}an. In einem neuen Fenster bleibt diese Seite geöffnet.`,
  },
  details: {
    description: 'Für die Administration und Entwicklung, um Probleme bei der Anmeldung zu untersuchen.',
    provider: 'Anbieter',
    issuer: 'Aussteller',
    clientId: 'Client-ID',
    subject: 'Subject',
    ends: 'Token läuft ab',
    nextRenewal: 'Nächste Erneuerung',
    notAutomatic: 'Keine. Diese Sitzung kann nicht automatisch erneuert werden.',
    renewalMethods: 'Erneuert mit',
    refreshToken: 'Refresh-Token',
    hiddenFrame: 'verborgenem Frame',
    renewNow: 'Erneuerung testen',
    noFrame: 'Dieser Anbieter erneuert Sitzungen nicht in einem verborgenen Frame.',
    byFrame: 'Sitzung in verborgenem Frame erneuern',
    noToken: 'Der Anbieter hat für diese Sitzung kein Refresh-Token ausgestellt.',
    byToken: 'Sitzung mit Refresh-Token erneuern',
    byWindow: 'Sitzung in einem Fenster erneuern',
  },
  notice: {
    ended: 'Ihre Sitzung ist abgelaufen',
    stay: 'Angemeldet bleiben',
    dismiss: 'Jetzt nicht',
    again: name =>
      `Melden Sie sich erneut ${name === null ? '' : `als ${name} `}an. In einem neuen Fenster bleibt diese Seite geöffnet.`,
    endsUnrenewed: at => `Ihre Sitzung endet um ${at} und konnte nicht erneuert werden.`,
    endsAlone: (at, provider) => `Ihre Sitzung endet um ${at}. ${provider} erneuert Sitzungen nicht automatisch.`,
  },
  choices: {
    finish: provider => `Schließen Sie die Anmeldung mit ${provider} im neuen Fenster ab.`,
    popupClosed:
      'Hat sich das Fenster geschlossen oder nicht geöffnet? Fahren Sie in diesem Tab fort. Danach kehren Sie zu dieser Seite zurück.',
    inThisTab: 'In diesem Tab fortfahren',
    theProvider: 'Der Anbieter',
    signInWith: provider => `Mit ${provider} anmelden`,
    otherAccount: provider => `Anderes Konto bei ${provider} verwenden`,
    signInWithInWindow: provider => `Mit ${provider} anmelden, in einem neuen Fenster`,
    inWindow: 'In einem neuen Fenster',
    inWindowHint: 'In einem neuen Fenster bleibt diese Seite geöffnet.',
  },
  stepUp: {
    title: 'Bestätigen Sie Ihre Identität',
    text: (provider, name) =>
      `Diese Änderung erfordert eine aktuelle Anmeldung. Melden Sie sich erneut ${name === null ? '' : `als ${name} `}mit ${provider} an. Diese Seite und Ihre Eingaben bleiben erhalten.`,
    strongText: (provider, name) =>
      `Diese Änderung erfordert eine aktuelle und besonders sichere Anmeldung, zum Beispiel mit einem zweiten Faktor. Melden Sie sich erneut ${name === null ? '' : `als ${name} `}mit ${provider} an. Diese Seite und Ihre Eingaben bleiben erhalten.`,
    action: 'Erneut anmelden',
    lost: 'Hat sich das Fenster geschlossen oder nicht geöffnet? Melden Sie sich erneut an.',
    denied: provider =>
      `${provider} hat keinen Zugriff gewährt. Melden Sie sich erneut an und erlauben Sie den Zugriff, oder brechen Sie die Änderung ab.`,
    blocked: 'Ihr Browser hat das Anmeldefenster blockiert. Öffnen Sie es mit „Erneut anmelden“.',
  },
  idToken: {
    unreadable: 'Das ID-Token des Anbieters ist fehlerhaft.',
    otherIssuer: 'Das ID-Token hat einen anderen Aussteller.',
    otherAudience: 'Das ID-Token wurde für eine andere Anwendung ausgestellt.',
    otherParty: 'Das ID-Token wurde an eine andere Anwendung ausgegeben.',
    expired: 'Das ID-Token ist abgelaufen.',
    fromFuture: 'Das ID-Token wurde in der Zukunft ausgestellt.',
    withoutTimes: 'Das ID-Token nennt nicht, wann es ausgestellt wurde und wann es abläuft.',
    otherSubject: 'Das ID-Token wurde für ein anderes Konto ausgestellt.',
    olderSignIn: 'Das ID-Token gehört zu einer früheren Anmeldung.',
    notRenewed: 'Der Anbieter hat das ID-Token nicht erneuert.',
    noIssuer: 'Die Antwort nennt nicht, welcher Anbieter sie gesendet hat.',
    otherProvider: 'Die Antwort kommt von einem anderen Anbieter.',
    notAlone: 'Dieser Anbieter erneuert Sitzungen nicht automatisch.',
    needsInteraction: 'Der Anbieter hat im verborgenen Frame eine Seite angezeigt, statt zu antworten.',
    endedElsewhere: 'Diese Sitzung wurde in einem anderen Tab beendet.',
    notBound: 'Der Anbieter hat die Anmeldung nicht an Ihren Browser gebunden.',
  },
  problems: {
    idTokenRefused: why => `Das ID-Token wurde abgelehnt: ${why}.`,
    popupBlocked:
      'Ihr Browser hat das Anmeldefenster blockiert. Erlauben Sie Pop-ups für diese Seite, oder fahren Sie in diesem Tab fort.',
    popupClosed:
      'Das Anmeldefenster wurde geschlossen oder ist nicht mehr erreichbar. Ist es noch offen, schließen Sie die Anmeldung dort ab. Versuchen Sie es sonst noch einmal.',
    cancelled: 'Die Anmeldung wurde abgebrochen. Sie können sich jederzeit erneut anmelden.',
    slow: name =>
      `${name} hat noch nicht geantwortet. Geht es auf dieser Seite nicht gleich weiter, melden Sie sich erneut an.`,
    unreachable: name => `${name} antwortet nicht. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.`,
    corsBlocked: name =>
      `${name} hat geantwortet, aber diese Seite kann die Antwort nicht lesen. Vielleicht ist der Anbieter vorübergehend nicht verfügbar: Versuchen Sie es gleich noch einmal. Bleibt das Problem, bitten Sie die Administration, „waypost doctor oidc“ auszuführen.`,
    unavailable: name => `${name} ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal.`,
    invalidResponse: name =>
      `${name} hat unerwartet auf die Anmeldung geantwortet. Versuchen Sie es noch einmal. Bleibt das Problem, wenden Sie sich an die Administration.`,
    sessionEnded: name => `Sie sind bei ${name} nicht mehr angemeldet. Melden Sie sich erneut an.`,
    accessDenied: (name, reason) =>
      `${name} hat keinen Zugriff gewährt${reason === null ? '' : ` („${reason}“)`}. Melden Sie sich erneut an und erlauben Sie den Zugriff, melden Sie sich ab, um ein anderes Konto zu verwenden, oder bitten Sie die Administration um Zugriff.`,
    codeExpired: name =>
      `${name} akzeptiert diese Anmeldung nicht mehr, weil sie zu lange gedauert hat oder schon verwendet wurde. Melden Sie sich erneut an. Bleibt das Problem, wenden Sie sich an die Administration.`,
    rejected: (name, code, reason) =>
      `${name} hat die Anmeldung abgelehnt${reason === null ? '' : `: „${reason}“`} (${code}). Meist passen die Einstellungen des Anbieters nicht zu denen von Waypost. Bitten Sie die Administration, „waypost doctor oidc“ auszuführen.`,
    untrusted: reason =>
      `Die Anmeldung wurde zum Schutz Ihres Kontos abgebrochen. ${reason} Bitten Sie die Administration, „waypost doctor oidc“ auszuführen.`,
    wrongClock: (reason, name) =>
      `${reason} Die Uhren dieses Computers und von ${name} weichen zu stark voneinander ab. Stellen Sie Datum und Uhrzeit dieses Computers automatisch ein, und melden Sie sich erneut an. Sind sie richtig, bitten Sie die Administration, die Uhr von ${name} zu korrigieren.`,
    otherAccount:
      'Sie haben sich mit einem anderen Konto angemeldet. Melden Sie sich mit dem Konto an, das Sie in Waypost verwenden.',
    unknownState:
      'Diese Anmeldung war schon abgeschlossen oder wurde in einem anderen Tab gestartet. Melden Sie sich erneut an.',
    insecureContext: 'Zum Anmelden ist eine sichere Adresse nötig. Öffnen Sie Waypost über https oder auf localhost.',
    keyNotStored:
      'Dieser Browser kann den Schlüssel, der Ihre Sitzung schützt, nicht speichern. Verlassen Sie den privaten Modus, oder erlauben Sie dieser Website, Daten zu speichern, und versuchen Sie es noch einmal.',
    unknown: reason =>
      `Anmeldung fehlgeschlagen: ${reason}. Versuchen Sie es noch einmal. Bleibt das Problem, wenden Sie sich an die Administration.`,
  },
};
