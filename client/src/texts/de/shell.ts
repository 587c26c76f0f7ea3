import { formatCount } from '../../lib/format';
import type { ShellTexts } from '../shell';

export const shell: ShellTexts = {
  appearance: {
    title: 'Darstellung',
    device: 'Wie das Gerät',
    light: 'Hell',
    dark: 'Dunkel',
    language: 'Sprache',
  },
  commands: {
    search: 'Suchen',
    palette: 'Suche und Befehle',
    workspaces: 'Alle Arbeitsbereiche',
    shortcuts: 'Tastenkürzel',
    light: 'Helle Darstellung',
    dark: 'Dunkle Darstellung',
    device: 'Darstellung wie das Gerät',
    go: 'Gehe zu',
    help: 'Hilfe und Darstellung',
  },
  nav: {
    tours: 'Touren',
    themes: 'Designs',
    sites: 'Websites',
    members: 'Mitglieder',
    audit: 'Protokoll',
    settings: 'Einstellungen',
  },
  frame: {
    navigation: 'Arbeitsbereich',
    sourceCode: 'Quelltext',
    skip: 'Zum Inhalt springen',
    loadingWorkspace: 'Arbeitsbereich wird geladen',
    openMenu: 'Menü öffnen',
    closeMenu: 'Menü schließen',
    loadingPage: 'Seite wird geladen',
    tryNow: 'Jetzt versuchen',
    keptMeanwhile: 'Änderungen bleiben auf diesem Gerät und werden gesendet, sobald die Verbindung wieder da ist.',
  },
  switcher: {
    switchFrom: 'Wechseln vom Arbeitsbereich',
    youAre: role => `Rolle: ${role}`,
    workspaces: 'Arbeitsbereiche',
    all: 'Alle Arbeitsbereiche oder ein neuer',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    description: 'Was in dieser Ansicht gilt.',
    singleKeys: 'Kürzel mit nur einer Taste',
    singleKeysHint: 'Abschalten, wenn Text diktiert wird oder Tasten versehentlich gedrückt werden.',
  },
  palette: {
    title: 'Suche und Befehle',
    label: 'Touren und Befehle suchen',
    placeholder: 'Was ist zu tun?',
    commands: 'Befehle',
    nothing: text => `Nichts heißt so ähnlich wie „${text}“.`,
    found: count => `${formatCount(count)} gefunden`,
  },
  notFound: {
    pageTitle: 'Nicht gefunden',
    back: 'Zurück zum Anfang',
    renamed: 'Vielleicht wurde es umbenannt oder entfernt.',
    things: {
      page: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht, oder sie ist hier nicht sichtbar.' },
      workspace: { title: 'Arbeitsbereich nicht gefunden', text: 'Diesen Arbeitsbereich gibt es nicht, oder er ist hier nicht sichtbar.' },
      tour: { title: 'Tour nicht gefunden', text: 'Diese Tour gibt es nicht, oder sie ist hier nicht sichtbar.' },
      theme: { title: 'Design nicht gefunden', text: 'Dieses Design gibt es nicht, oder es ist hier nicht sichtbar.' },
      site: { title: 'Website nicht gefunden', text: 'Diese Website gibt es nicht, oder sie ist hier nicht sichtbar.' },
    },
  },
};
