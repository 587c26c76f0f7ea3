import type { SettingsTexts } from '../en/settings';
import { counted } from '../format';

/** The server counts no more than this. */
const MAX_COUNT = 100_000;

const atMost = (count: number, text: string): string => (count < MAX_COUNT ? text : `mehr als ${text}`);

export const settings: SettingsTexts = {
  settings: {
    title: 'Einstellungen',
    renamed: 'Arbeitsbereich umbenannt.',
    workspace: 'Arbeitsbereich',
    addressHint: 'Kann nicht geändert werden, damit Links weiter funktionieren.',
    save: 'Namen speichern',
    about: 'Über Waypost',
    license: 'Waypost ist freie Software unter der AGPL-3.0. Sie dürfen es benutzen, lesen, ändern und weitergeben.',
    thirdParty: 'Code von Dritten',
    sourceCode: 'Quellcode',
    signIn: providers => `Anmeldung mit ${providers}`,
  },
  retention: {
    title: 'Aufbewahrung',
    description:
      'Der Server löscht ältere Daten stündlich. Auswertungen, Trichter und Wirkung behalten alle ihre Zahlen.',
    loading: 'Aufbewahrung wird geladen',
    fields: {
      visitorDays: 'Besucher löschen nach (Tagen ohne Besuch)',
      runDays: 'Ereignisse von Durchläufen löschen nach (Tagen ohne Aktivität)',
      auditDays: 'Protokolleinträge löschen nach (Tagen)',
    },
    hints: {
      visitorDays:
        'Mit ihren Durchläufen und allem, was sonst über sie gespeichert ist. Wer später wiederkommt, zählt als neuer Besucher.',
      runDays:
        'Für jeden Besucher und jede Tour bleibt das letzte Ergebnis ohne seine Ereignisse, damit niemand eine Tour wegen ihres Alters noch einmal sieht.',
      auditDays: 'Exportieren Sie das Protokoll vorher, wenn Sie ältere Einträge brauchen.',
    },
    counting: 'Es wird gezählt, was jetzt gelöscht würde…',
    nothing: 'Nichts ist alt genug, um jetzt gelöscht zu werden.',
    now: deleted => `Innerhalb einer Stunde würde gelöscht: ${deleted}.`,
    visitors: count => atMost(count, counted(count, { one: '# Besucher', other: '# Besucher' })),
    runs: count =>
      atMost(
        count,
        counted(count, { one: 'die Ereignisse von # Durchlauf', other: 'die Ereignisse von # Durchläufen' }),
      ),
    auditEntries: count => atMost(count, counted(count, { one: '# Protokolleintrag', other: '# Protokolleinträge' })),
    save: 'Aufbewahrung speichern',
    saved: 'Aufbewahrung gespeichert.',
    confirmTitle: 'Ältere Daten löschen?',
    confirmText: deleted => `Innerhalb einer Stunde wird endgültig gelöscht: ${deleted}.`,
    confirmUncounted: 'Innerhalb einer Stunde werden alle Daten endgültig gelöscht, die älter als diese Tage sind.',
    confirm: 'Speichern und löschen',
  },
  delete: {
    panel: 'Arbeitsbereich löschen',
    description: 'Für alle, mit allem, was darin ist.',
    open: 'Arbeitsbereich löschen',
    title: name => `${name} löschen?`,
    tours: 'Seine Touren beginnen auf keiner Seite mehr.',
    toursOn: sites => `Seine Touren beginnen ab sofort nicht mehr auf ${sites}.`,
    content: 'Alle Touren, Veröffentlichungen, Designs, Segmente, Websites, Besucher und Auswertungen werden gelöscht.',
    access: 'Alle Mitglieder verlieren den Zugang, und Zugriffstoken gelten nicht mehr.',
    audit: 'Auch das Protokoll wird gelöscht. Nur das Log des Servers hält fest, wer den Arbeitsbereich gelöscht hat.',
    exportFirst: 'Protokoll vorher exportieren',
    name: name => `Zur Bestätigung „${name}“ eingeben`,
    typeName: 'Geben Sie zuerst den Namen des Arbeitsbereichs ein.',
    irreversible: 'Das lässt sich nicht rückgängig machen.',
    action: 'Diesen Arbeitsbereich löschen',
    deleted: name => `„${name}“ gelöscht.`,
  },
};
