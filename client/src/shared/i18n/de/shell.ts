import type { ShellTexts } from '../en/shell';
import { counted, formatCount } from '../format';

export const shell: ShellTexts = {
  appearance: {
    menu: 'Darstellung und Sprache',
    title: 'Darstellung',
    device: 'Wie das System',
    light: 'Hell',
    dark: 'Dunkel',
    language: 'Sprache',
  },
  commands: {
    search: 'Suchen',
    palette: 'Suche und Befehle',
    workspaces: 'Alle Arbeitsbereiche',
    shortcuts: 'Tastenkürzel',
    light: 'Helle Darstellung verwenden',
    dark: 'Dunkle Darstellung verwenden',
    device: 'Darstellung des Systems verwenden',
    go: 'Wechseln zu',
    help: 'Hilfe und Darstellung',
    explain: 'Erklären, warum eine Tour nicht erscheint',
    explainHelp: 'Wählen Sie einen Besucher. Dort steht, warum eine Tour erscheint oder nicht.',
  },
  nav: {
    tours: 'Touren',
    themes: 'Designs',
    sites: 'Websites',
    visitors: 'Besucher',
    members: 'Mitglieder',
    audit: 'Protokoll',
    settings: 'Einstellungen',
  },
  frame: {
    brokenTours: count =>
      counted(count, { one: '# Tour mit fehlenden Elementen', other: '# Touren mit fehlenden Elementen' }),
    navigation: 'Arbeitsbereich',
    sourceCode: 'Quellcode',
    skip: 'Zum Inhalt springen',
    loadingWorkspace: 'Arbeitsbereich wird geladen',
    openMenu: 'Menü öffnen',
    closeMenu: 'Menü schließen',
    loadingPage: 'Seite wird geladen',
    tryNow: 'Jetzt versuchen',
    newVersion: 'Eine neue Version ist verfügbar. Zum Aktualisieren neu laden.',
    reload: 'Neu laden',
    changesKept: 'Ihre Änderungen bleiben auf diesem Gerät und werden gesendet, sobald die Verbindung wieder besteht.',
  },
  switcher: {
    switchFrom: 'Arbeitsbereich wechseln, aktuell:',
    yourRole: role => `Ihre Rolle: ${role}`,
    workspaces: 'Arbeitsbereiche',
    all: 'Arbeitsbereiche ansehen oder anlegen',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    description: 'Tastenkürzel in dieser Ansicht.',
    singleKeys: 'Kürzel mit nur einer Taste',
    singleKeysHint: 'Ausschalten, wenn Sie Text diktieren oder Kürzel versehentlich auslösen.',
  },
  palette: {
    title: 'Suche und Befehle',
    label: 'Touren, Websites und Befehle suchen',
    placeholder: 'Suchen oder Befehl eingeben …',
    commands: 'Befehle',
    visitors: text => `Besucher nach „${text}“ durchsuchen`,
    nothing: text => `Keine Treffer für „${text}“.`,
    found: count => `${formatCount(count)} gefunden`,
  },
  notFound: {
    pageTitle: 'Nicht gefunden',
    back: 'Zur Startseite',
    renamed: 'Vielleicht wurde es umbenannt oder gelöscht.',
    things: {
      page: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.' },
      workspace: {
        title: 'Arbeitsbereich nicht gefunden',
        text: 'Diesen Arbeitsbereich gibt es nicht, oder Sie haben keinen Zugriff darauf.',
      },
      tour: { title: 'Tour nicht gefunden', text: 'Diese Tour gibt es nicht, oder Sie haben keinen Zugriff darauf.' },
      theme: {
        title: 'Design nicht gefunden',
        text: 'Dieses Design gibt es nicht, oder Sie haben keinen Zugriff darauf.',
      },
      segment: {
        title: 'Segment nicht gefunden',
        text: 'Dieses Segment gibt es nicht, oder Sie haben keinen Zugriff darauf.',
      },
      site: {
        title: 'Website nicht gefunden',
        text: 'Diese Website gibt es nicht, oder Sie haben keinen Zugriff darauf.',
      },
    },
  },
};
