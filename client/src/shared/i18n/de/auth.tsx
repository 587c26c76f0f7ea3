import type { AuthTexts } from '../en/auth';

export const auth: AuthTexts = {
  page: {
    loadingWaypost: 'Waypost wird geladen',
    signingIn: 'Anmeldung läuft',
    moment: 'Einen Moment',
    failed: 'Die Anmeldung hat nicht geklappt',
    details: 'Einzelheiten',
    loadingSession: 'Sitzung wird geladen',
    signIn: 'Bei Waypost anmelden',
    promise:
      'Geführte Touren für die eigenen Websites schreiben, veröffentlichen und sehen, wer sie zu Ende gegangen ist.',
    signedOut: 'Abgemeldet',
    forgotten: 'Dieser Browser hat die Sitzung vergessen.',
  },
  start: {
    unreachable: {
      title: 'Waypost ist nicht erreichbar',
      text: 'Der Server antwortet nicht. Bitte die Verbindung prüfen: Wer sich anmeldet, braucht den Server und den Identitätsanbieter. Nichts Geschriebenes geht verloren.',
    },
    noProvider: {
      title: 'Noch kann sich niemand anmelden',
      text: 'Dieser Server nennt keinen Identitätsanbieter. Sein Betreiber richtet einen ein; „waypost --help“ listet die Einstellungen auf.',
    },
  },
  menu: {
    renewed: {
      frame: 'In einem verborgenen Rahmen erneuert.',
      'refresh-token': 'Mit dem Refresh-Token erneuert.',
      window: 'In einem Fenster erneuert.',
    },
    sessionOf: name => `Sitzung von ${name}`,
    roleHere: role => `hier ${role}`,
    signedInWith: provider => `Angemeldet mit ${provider}`,
    until: (time, then) => (
      <>
        Bis {time}, {then}
      </>
    ),
    renewedByItself: 'dann von selbst erneuert',
    signInAgain: 'dann ist eine neue Anmeldung nötig',
    notRenewed: 'und sie war nicht zu erneuern',
    noFrame: 'Dieser Anbieter erneuert keine Sitzung in einem Rahmen.',
    byFrame: 'Jetzt in verborgenem Rahmen erneuern',
    noToken: 'Der Anbieter hat dieser Sitzung kein Refresh-Token gegeben.',
    byToken: 'Jetzt mit Refresh-Token erneuern',
    byWindow: 'Jetzt in einem Fenster erneuern',
    signOut: 'Abmelden',
    failed: 'Die Sitzung wurde nicht erneuert',
    failedText: (until, name) =>
      `Sie dauert bis ${until}. Damit sie länger dauert, als ${name} neu anmelden: In einem neuen Fenster bleibt diese Seite, wie sie ist.`,
  },
  notice: {
    ended: 'Die Sitzung ist zu Ende',
    stay: 'Angemeldet bleiben',
    notNow: 'Jetzt nicht',
    again: name => `Bitte neu anmelden als ${name}. In einem neuen Fenster bleibt diese Seite, wie sie ist.`,
    endsUnrenewed: at => `Die Sitzung endet um ${at} und war nicht zu erneuern.`,
    endsAlone: (at, provider) => `Die Sitzung endet um ${at}. ${provider} erneuert keine von selbst.`,
  },
  choices: {
    finish: provider => `Bitte die Anmeldung mit ${provider} im geöffneten Fenster abschließen.`,
    lost: 'Ist das Fenster zu, oder hat es sich nicht geöffnet? Dann geht es hier weiter und danach zurück auf diese Seite.',
    inThisTab: 'In diesem Tab weitermachen',
    theProvider: 'Der Anbieter',
    signInWith: provider => `Mit ${provider} anmelden`,
    signInWithInWindow: provider => `Mit ${provider} anmelden, in einem neuen Fenster`,
    inWindow: 'In einem neuen Fenster',
  },
  idToken: {
    unreadable: 'Der Anbieter hat kein lesbares ID-Token gesendet.',
    otherIssuer: 'Das ID-Token kommt von einem anderen Aussteller.',
    otherAudience: 'Das ID-Token ist für eine andere Anwendung bestimmt.',
    otherParty: 'Das ID-Token wurde einer anderen Anwendung gegeben.',
    expired: 'Das ID-Token ist abgelaufen.',
    fromFuture: 'Das ID-Token wurde in der Zukunft ausgestellt. Bitte die Uhr dieses Computers prüfen.',
    noIssuer: 'Die Antwort sagt nicht, welcher Anbieter sie gesendet hat.',
    otherProvider: 'Die Antwort kommt von einem anderen Anbieter.',
    notAlone: 'Dieser Anbieter erneuert keine Sitzung von selbst.',
    endedElsewhere: 'Diese Sitzung wurde in einem anderen Tab beendet.',
  },
  problems: {
    idTokenRefused: why => `Das ID-Token wurde abgelehnt: ${why}.`,
    blocked:
      'Der Browser hat das Anmeldefenster blockiert. Bitte Pop-ups für diese Seite erlauben oder in diesem Tab weitermachen.',
    lost: 'Das Fenster wurde geschlossen, oder diese Seite sieht es nicht mehr. Ist es noch offen, dort abschließen; sonst noch einmal versuchen.',
    cancelled: 'Die Anmeldung wurde abgebrochen. Sie kann jederzeit neu begonnen werden.',
    unreachable: name => `${name} antwortet nicht. Bitte die Verbindung prüfen und noch einmal versuchen.`,
    unreadable: name =>
      `${name} antwortet, aber diese Seite darf es nicht lesen. Bitte noch einmal versuchen; bleibt es so, sagt „waypost doctor oidc“ dem Betreiber, was zu ändern ist.`,
    busy: name => `${name} kann gerade nicht antworten. Bitte gleich noch einmal versuchen.`,
    garbled: name =>
      `${name} hat etwas geantwortet, das nicht zu einer Anmeldung gehört. Bitte gleich noch einmal versuchen und es dem Betreiber dieser Installation melden, wenn es so bleibt.`,
    over: name => `Die Sitzung bei ${name} ist zu Ende. Bitte neu anmelden.`,
    refused: (name, reason, advice) => `${name} hat die Anmeldung abgelehnt: ${reason} ${advice}`,
    untrusted: reason =>
      `Die Anmeldung wurde zum Schutz des Kontos angehalten. ${reason} Bitte dem Betreiber dieser Installation melden.`,
    stale: 'Diese Anmeldung war schon abgeschlossen oder wurde in einem anderen Tab begonnen. Bitte neu anmelden.',
    insecure: 'Zum Anmelden ist eine sichere Adresse nötig: Waypost über https öffnen oder auf localhost.',
    unknown: reason =>
      `Die Anmeldung hat nicht geklappt: ${reason}. Bitte noch einmal versuchen und es dem Betreiber dieser Installation melden, wenn es so bleibt.`,
    otherAccount: 'Mit einem anderen Konto anmelden oder um Zugang bitten.',
    wrongSettings: 'Seine Einstellungen für Waypost sind falsch; „waypost doctor oidc“ sagt dem Betreiber, welche.',
  },
};
