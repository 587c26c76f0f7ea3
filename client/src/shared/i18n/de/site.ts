import type { SiteTexts } from '../en/site';

export const site: SiteTexts = {
  light: {
    never: 'Noch nicht eingebaut',
    live: 'Eingebaut, gerade gesehen',
    quiet: when => `Eingebaut, gesehen ${when}`,
  },
  origins: {
    label: 'Webadressen',
    hint: 'Wo ihre Seiten liegen, eine je Zeile: https:// und der Host, etwa https://app.example.com, oder http://localhost:3000 beim Entwickeln. Seiten von anderswo können den Schlüssel nicht benutzen.',
    wrong: line =>
      `„${line}“ kann nicht die Adresse einer Website sein: https:// und ein Host gehören hinein, ohne Pfad. http gilt nur für localhost.`,
    page: (line, origin) =>
      `„${line}“ ist die Adresse einer einzelnen Seite. Hierher gehört, wo alle liegen: ${origin}.`,
  },
  events: {
    title: 'Ereignisse',
    description:
      'Was ihre Seiten in den letzten 90 Tagen gemeldet haben. Eine Tour kann damit beginnen, ein Schritt darauf warten und eine Veröffentlichung dahin führen.',
    loading: 'Ereignisse werden geladen',
    none: 'Noch keine. Eine Zeile in der Seite meldet eines:',
    demo: 'Die Demoseite meldet es.',
    heard: 'Dieses Ereignis haben Seiten schon gemeldet.',
    unheard:
      'In den letzten 90 Tagen hat keine Seite dieses Ereignis gemeldet. Ist der Name richtig geschrieben, und steht die Zeile in der Seite?',
  },
  create: {
    title: 'Neue Website',
    description: 'Sie bekommt einen eigenen Schlüssel.',
    example: 'Produktion',
    submit: 'Website anlegen',
  },
  list: {
    title: 'Websites',
    new: 'Neue Website',
    description: 'Die Orte, an denen Touren laufen. Produktion, Test und Dokumentation sind drei Websites.',
    loading: 'Websites werden geladen',
    empty: 'Noch keine Websites',
    emptyText:
      'Hier die Website hinzufügen, auf der die Touren laufen sollen. Sie bekommt einen Schlüssel, mit dem ihre Seiten danach fragen.',
    own: 'Waypost selbst',
  },
  page: {
    loading: 'Website wird geladen',
    installed: when => `, eingebaut am ${when}`,
    pages: 'Seiten',
    ownPages: 'Diese Website sind die Seiten von Waypost selbst.',
    pagesText:
      'Ihre Seiten fragen mit dem Schlüssel unten nach ihren Touren. Das Licht oben wird grün, sobald sich eine meldet, auch die Demoseite.',
    playDemo: 'Touren auf der Demoseite abspielen',
    demoElsewhere: origin =>
      `Die Demoseite liegt unter ${origin}; das gehört noch nicht zu den Webadressen der Website.`,
    allowDemo: 'Zu den Webadressen hinzufügen',
    key: 'Schlüssel',
    quietHours: 'Ruhezeit in Stunden',
    quietHint: 'Nachdem eine Tour von selbst kam, kommt so viele Stunden lang keine andere. 0: eine nach der anderen.',
    keyHint: 'Nennt die Website; er ist kein Geheimnis. Seiten unter anderen Webadressen können ihn nicht benutzen.',
    copyKey: 'Schlüssel kopieren',
    replaceKey: 'Schlüssel ersetzen',
    replaceTitle: 'Schlüssel ersetzen?',
    replaced: 'Die Website hat einen neuen Schlüssel. Er muss jetzt in ihre Seiten.',
    replaceText: 'Seiten, die noch den alten Schlüssel senden, spielen ab diesem Moment keine Touren mehr.',
    saved: 'Die Website ist gespeichert.',
    details: 'Angaben',
    save: 'Website speichern',
  },
};
