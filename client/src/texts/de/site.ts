import type { SiteTexts } from '../site';

export const site: SiteTexts = {
  light: {
    never: 'Noch nicht eingebaut',
    live: 'Live: gerade gesehen',
    quiet: when => `Eingebaut, gesehen ${when}`,
  },
  origins: {
    label: 'Ursprünge',
    hint: 'Einer je Zeile, etwa https://app.example.com. Seiten anderer Ursprünge dürfen den Schlüssel nicht benutzen.',
    wrong: line => `„${line}“ ist kein Ursprung: https:// und ein Host gehören hinein, ohne Pfad. http gilt nur für localhost.`,
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
    emptyText: 'Hier die Website hinzufügen, auf der die Touren laufen sollen, und eine Zeile HTML in ihre Seiten setzen.',
    own: 'Waypost selbst',
  },
  page: {
    loading: 'Website wird geladen',
    installed: when => `, eingebaut am ${when}`,
    pages: 'Seiten',
    ownPages: 'Diese Website sind die Seiten von Waypost selbst.',
    pagesText: 'Ihre Seiten fragen mit dem Schlüssel unten nach ihren Touren. Das Licht oben wird grün, sobald sich eine meldet.',
    playDemo: 'Ihre Touren auf der Demoseite abspielen',
    demoElsewhere: origin => `Die Demoseite liegt unter ${origin}; das gehört noch nicht zu den Ursprüngen der Website.`,
    key: 'Schlüssel',
    keyHint: 'Nennt die Website; er ist kein Geheimnis. Andere Ursprünge können ihn nicht benutzen.',
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
