import type { SiteTexts } from '../en/site';
import { counted, formatCount, formatPercent } from '../format';

export const site: SiteTexts = {
  light: {
    never: 'Nicht installiert: Noch keine Seite hat ihre Touren geladen',
    own: 'Noch keine Seite hat ihre Touren geladen',
    sample: 'Nicht installiert: Die Besucher des Beispiels sind generiert',
    live: 'Installiert, gerade gesehen',
    idle: when => `Installiert, zuletzt gesehen ${when}`,
  },
  origins: {
    label: 'Erlaubte Adressen',
    hint: 'Die Adressen, unter denen Ihre Anwendung läuft, eine je Zeile, z. B. https://app.example.com oder http://localhost:3000. https://*.example.com erlaubt alle Subdomains. Anderswo funktioniert der Website-Schlüssel nicht.',
    wrong: line => `„${line}“ braucht https:// am Anfang. (* kann nur die Subdomains ersetzen: https://*.example.com.)`,
    allowHttp: 'http erlauben',
    allowHttpHint:
      'Ohne https kann jeder im Netzwerk Ihre Seiten und deren Touren lesen und ändern. Nur für interne Netzwerke.',
  },
  events: {
    title: 'Ereignisse',
    description:
      'Ereignisse, die Ihre Website in den letzten 90 Tagen gesendet hat. Damit können Sie eine Tour starten, einen Schritt abschließen oder das Ziel einer Veröffentlichung messen.',
    loading: 'Ereignisse werden geladen',
    none: 'Noch keine Ereignisse. Senden Sie eines aus Ihrer Seite mit:',
    demo: 'Wird von der Demoseite gesendet',
    received: 'Ihre Website hat dieses Ereignis gesendet.',
    notReceived:
      'Dieses Ereignis ist seit 90 Tagen nicht eingetroffen. Prüfen Sie die Schreibweise, oder senden Sie es aus Ihrer Seite.',
  },
  refused: {
    title: 'Abgelehnte Adressen',
    description:
      'Seiten unter diesen Adressen verwenden den Site-Schlüssel, sind aber nicht erlaubt. Deshalb zeigen sie keine Touren.',
    warning: 'Jeder kann den Site-Schlüssel senden. Fügen Sie eine Adresse nur hinzu, wenn sie Ihnen gehört.',
    add: origin => `Zu den erlaubten Adressen hinzufügen: ${origin}`,
    requests: (count, when) =>
      `${counted(count, { one: '#-mal abgelehnt', other: '#-mal abgelehnt' })}, zuletzt ${when}`,
    added: origin => `${origin} ist jetzt erlaubt. Die Seiten zeigen Touren, wenn sie erneut geöffnet werden.`,
  },
  identity: {
    title: 'Identitäten der Besucher',
    description:
      'Wenn Ihr Server die IDs Ihrer Besucher signiert, kann sich niemand als ein anderer Besucher ausgeben.',
    loading: 'Identitäten werden geladen',
    mode: 'Signierte IDs',
    modes: { OFF: 'Aus', OPTIONAL: 'Optional', REQUIRED: 'Verlangt' },
    modeHints: {
      OFF: 'Ihre Seiten geben an, wer ihre Besucher sind. Fügen Sie zuerst einen Schlüssel hinzu, um dies zu ändern.',
      OPTIONAL: 'Besucher mit signierter ID sind bestätigt. Für alle anderen gilt die ID, die die Seite angibt.',
      REQUIRED: 'Eine ID ohne Signatur wird ignoriert: Der Besucher ist anonym.',
    },
    coverageOff: identified =>
      identified === 0
        ? 'Keine Besuche mit einer ID in den letzten 7 Tagen.'
        : `Besuche mit einer ID in den letzten 7 Tagen: ${formatCount(identified)}.`,
    coverage: (verified, identified) =>
      identified === 0
        ? 'Keine Besuche mit einer ID in den letzten 7 Tagen.'
        : `In den letzten 7 Tagen signiert: ${formatPercent(verified / identified)} der Besuche mit einer ID (${formatCount(verified)} von ${formatCount(identified)}).`,
    requireTitle: 'Signierte IDs verlangen?',
    requireText: 'Besucher ohne signierte ID werden anonym: Sie sehen Touren möglicherweise noch einmal.',
    require: 'Signierte IDs verlangen',
    keys: 'Schlüssel',
    noKeys: 'Noch keine Schlüssel.',
    full: 'Eine Website kann zwei Schlüssel haben. Widerrufen Sie zuerst einen.',
    algorithms: { HS256: 'Geheimnis (HS256)', EDDSA: 'Öffentlicher Schlüssel (EdDSA)' },
    created: when => `Erstellt ${when}.`,
    used: when => `Zuletzt verwendet ${when}.`,
    unused: 'Noch nicht verwendet.',
    addSecret: 'Geheimnis erzeugen',
    addPublicKey: 'Öffentlichen Schlüssel hinzufügen',
    add: 'Schlüssel hinzufügen',
    secretTitle: 'Neues Geheimnis',
    secretText: 'Kopieren Sie das Geheimnis jetzt auf Ihren Server. Es wird nicht noch einmal angezeigt.',
    secret: 'Geheimnis',
    copySecret: 'Geheimnis kopieren',
    done: 'Fertig',
    publicKey: 'Öffentlicher Ed25519-Schlüssel',
    publicKeyHint: 'PEM oder JWK. Der private Schlüssel bleibt auf Ihrem Server.',
    revoke: 'Widerrufen',
    revokeTitle: 'Diesen Schlüssel widerrufen?',
    revokeText: 'Damit signierte IDs werden nicht mehr akzeptiert.',
    revokeLast: 'Dies ist der einzige Schlüssel: Bis Sie einen anderen hinzufügen, wird kein Besucher bestätigt.',
  },
  create: {
    title: 'Neue Website',
    description: 'Sie bekommt einen Website-Schlüssel.',
    example: 'Produktion',
    submit: 'Website anlegen',
  },
  list: {
    title: 'Websites',
    new: 'Neue Website',
    description: 'Wo Ihre Touren laufen. Legen Sie je eine für Produktion, Test, Dokumentation … an.',
    loading: 'Websites werden geladen',
    empty: 'Noch keine Websites',
    emptyText:
      'Legen Sie die Website an, auf der Ihre Touren laufen sollen. Sie bekommen einen Schlüssel für ihre Seiten.',
  },
  install: {
    script: 'Fügen Sie diesen Code in den <head> jeder Seite ein:',
    copy: 'Skript kopieren',
    send: 'Nachricht für Entwickler kopieren',
    more: 'Content Security Policy und feste Version',
    policy:
      'Wenn Ihre Seiten den Header Content-Security-Policy senden, ergänzen Sie diese Adressen. Schritte mit Bildern brauchen auch die Adressen der Bilder in img-src:',
    nonce:
      'Wenn die Richtlinie eine Nonce oder ‚strict-dynamic‘ enthält, setzen Sie die Nonce jeder Antwort am Skript. Ohne sie ignoriert ‚strict-dynamic‘ die Adresse:',
    tag: 'Wenn die Richtlinie keine Inline-Skripte erlaubt, oder in einem Tag-Manager, verwenden Sie stattdessen diese Zeile. Eine langsame Verbindung zu Waypost verzögert dann das load-Ereignis der Seite:',
    pinned:
      'Um nur diese Version des Skripts zu laden und ihren Inhalt zu prüfen. Der Code funktioniert nach Aktualisierungen von Waypost weiter, lädt aber keine späteren Versionen des Skripts:',
    message: {
      intro: site =>
        `Bitte bauen Sie Waypost, das Produkttouren zeigt, in „${site}“ ein. Fügen Sie diesen Code in den <head> jeder Seite ein:`,
      origins: origins => `Es funktioniert auf Seiten von: ${origins}`,
    },
  },
  page: {
    loading: 'Website wird geladen',
    lastPage: page => `auf ${page}`,
    pages: 'Installation',
    ownPages: 'Diese Website ist die Oberfläche von Waypost selbst.',
    pagesText:
      'Fügen Sie das Skript in Ihre Seiten ein, um Touren zu zeigen. Der Status wird grün, sobald Waypost eine Anfrage von einer Ihrer Seiten erhält.',
    playDemo: 'Auf der Demoseite ausprobieren',
    demoElsewhere: origin =>
      `Die Demoseite läuft unter ${origin}. Das gehört noch nicht zu den erlaubten Adressen dieser Website.`,
    allowDemo: 'Zu den erlaubten Adressen hinzufügen',
    key: 'Website-Schlüssel',
    cooldownHours: 'Mindestabstand (Stunden)',
    cooldownHint: 'Mindestens so viele Stunden liegen zwischen zwei automatisch startenden Touren. 0 = keine Pause.',
    keyHint: 'Kennzeichnet diese Website. Er ist nicht geheim: Er funktioniert nur unter den erlaubten Adressen.',
    copyKey: 'Schlüssel kopieren',
    replaceKey: 'Schlüssel ersetzen',
    replaceTitle: 'Website-Schlüssel ersetzen?',
    replaced: 'Website-Schlüssel ersetzt. Aktualisieren Sie ihn auf Ihren Seiten.',
    replaceText: 'Seiten mit dem alten Schlüssel zeigen sofort keine Touren mehr.',
    saved: 'Website gespeichert.',
    details: 'Details',
    save: 'Website speichern',
  },
};
