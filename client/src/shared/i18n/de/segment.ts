import type { SegmentTexts } from '../en/segment';
import { counted, formatCount } from '../format';

export const segment: SegmentTexts = {
  list: {
    title: 'Segmente',
    description: 'Benannte Gruppen von Besuchern, die Touren als Zielgruppe gemeinsam verwenden.',
    loading: 'Segmente werden geladen',
    new: 'Neues Segment',
    empty: 'Noch keine Segmente',
    emptyText:
      'Legen Sie einmal fest, wer Ihre Besucher sind, etwa „Pro-Kunden“, und wählen Sie das Segment als Zielgruppe beliebiger Touren.',
    unused: 'Von keiner Tour verwendet',
    usedBy: count => counted(count, { one: 'Von # Tour verwendet', other: 'Von # Touren verwendet' }),
  },
  page: {
    loading: 'Segment wird geladen',
    newTitle: 'Neues Segment',
    example: 'Pro-Kunden',
    definition: 'Wer zu diesem Segment gehört',
    hint: 'Prüft Merkmale, signierte IDs und den Fortschritt in anderen Touren.',
    live: 'Änderungen wirken sich sofort auf veröffentlichte Touren aus.',
    tours: 'Touren mit diesem Segment',
    noTours: 'Keine Tour verwendet dieses Segment.',
    create: 'Segment anlegen',
    created: name => `„${name}“ angelegt.`,
    save: 'Segment speichern',
    saved: 'Segment gespeichert. Veröffentlichte Touren verwenden es ab jetzt.',
    undo: 'Änderungen verwerfen',
    leaveText: 'Die Änderungen an diesem Segment sind noch nicht gespeichert.',
    delete: 'Löschen',
    deleteTitle: name => `„${name}“ löschen?`,
    deleteSegment: 'Segment löschen',
    deleted: name => `„${name}“ gelöscht.`,
    inUse: 'Segmente, die von Touren verwendet werden, können nicht gelöscht werden.',
  },
  audience: {
    label: 'Wer sie sieht',
    everyone: 'Alle Besucher',
    segments: 'Segmente',
    custom: 'Eigene Regeln',
    edit: 'Segmente bearbeiten',
    deleted: 'Gelöschtes Segment',
  },
  matches: {
    site: 'Besucher zählen auf',
    loading: 'Besucher werden gezählt …',
    failed: 'Die Besucher können gerade nicht gezählt werden.',
    none: 'Keine bekannten Besucher in den letzten 30 Tagen.',
    exact: (matching, visitors) => `Trifft auf ${formatCount(matching)} von ${visitors} zu.`,
    maximum: (matching, visitors) =>
      `Trifft auf höchstens ${formatCount(matching)} von ${visitors} zu, je nach Seite, Sprache und Gerät.`,
    visitors: count =>
      counted(count, { one: '# Besucher der letzten 30 Tage', other: '# Besuchern der letzten 30 Tage' }),
    mostRecent: count => `den letzten ${formatCount(count)} Besuchern`,
  },
};
