import type { TourTexts } from '../en/tour';
import { counted, formatCount, formatList } from '../format';

export const tour: TourTexts = {
  counts: {
    blockers: count => counted(count, { one: '# Problem', other: '# Probleme' }),
    hints: count => counted(count, { one: '# Vorschlag', other: '# Vorschläge' }),
  },
  status: {
    DRAFT: 'Entwurf',
    LIVE: 'Live',
    PAUSED: 'Pausiert',
    ARCHIVED: 'Archiviert',
    changed: 'Unveröffentlichte Änderungen',
    revisions: {
      LIVE: (revisions, passed) => {
        const numbers = formatList(revisions.map(formatCount));
        const said = counted(revisions.length, {
          one: `Fassung ${numbers} ist live`,
          other: `Fassungen ${numbers} sind live`,
        });
        return passed === null ? said : `${said}, nicht ${formatCount(passed)}`;
      },
      PAUSED: (revisions, passed) => {
        const numbers = formatList(revisions.map(formatCount));
        const said = counted(revisions.length, {
          one: `Fassung ${numbers} ist pausiert`,
          other: `Fassungen ${numbers} sind pausiert`,
        });
        return passed === null ? said : `${said}, nicht ${formatCount(passed)}`;
      },
    },
  },
  revision: {
    draft: 'Entwurf',
    inReview: 'In Prüfung',
    returned: 'Zurückgegeben',
    frozen: 'Veröffentlicht',
  },
  title: {
    archived: 'Zum Umbenennen erst wiederherstellen.',
    rename: 'Umbenennen',
    dialog: 'Tour umbenennen',
    done: 'Die Tour hat ihren neuen Titel.',
    hint: 'Besucher sehen ihn; die Adresse bleibt dieselbe.',
    label: 'Titel',
  },
  frame: {
    loading: 'Tour wird geladen',
    write: 'Schreiben',
    release: 'Veröffentlichen',
    insights: 'Auswertung',
    tour: 'Tour',
    live: 'Sie ist live. Erst ihre Veröffentlichungen beenden.',
    duplicateThis: 'Diese Tour duplizieren',
    more: 'Mehr zu dieser Tour',
    duplicate: 'Duplizieren',
    archive: 'Archivieren',
    archiveTitle: title => `„${title}“ archivieren?`,
    archiveTour: 'Tour archivieren',
    archived: title => `„${title}“ ist archiviert.`,
    archiveText:
      'Sie lässt sich nicht mehr bearbeiten oder veröffentlichen, bis jemand sie wiederherstellt. Ihre Auswertung bleibt.',
    isArchived: 'Diese Tour ist archiviert. Zum Bearbeiten oder Veröffentlichen erst wiederherstellen.',
    restore: 'Wiederherstellen',
    thisTour: 'Diese Tour',
  },
  list: {
    title: 'Touren',
    new: 'Neue Tour',
    description: 'Geführte Touren, Schritt für Schritt durch die eigenen Seiten.',
    status: 'Status',
    loading: 'Touren werden geladen',
    count: count => counted(count, { one: '# Tour', other: '# Touren' }),
    found: count => counted(count, { one: '# Tour gefunden', other: '# Touren gefunden' }),
    noMatch: 'Nichts passt',
    showAll: 'Alle Touren zeigen',
    noneCalled: search => `Keine Tour heißt so ähnlich wie „${search}“.`,
    noneOfStatus: search => `Keine Tour mit diesem Status heißt so ähnlich wie „${search}“.`,
    noneWithStatus: 'Keine Tour hat diesen Status.',
    empty: 'Noch keine Touren',
    emptyText:
      'Eine Tour führt durch eine Seite, einen Schritt nach dem anderen. Für die erste genügen ein Titel und zwei, drei Schritte.',
    search: 'Touren suchen',
    searchHint: 'Nach Titel oder Adresse suchen',
    changed: (slug, when, who) => `${slug} · ${when} geändert von ${who}`,
  },
  filters: {
    ALL: 'Alle',
    LIVE: 'Live',
    PAUSED: 'Pausiert',
    DRAFT: 'Entwürfe',
    IN_REVIEW: 'In Prüfung',
    ARCHIVED: 'Archiviert',
  },
  create: {
    duplicateTitle: title => `„${title}“ duplizieren`,
    new: 'Neue Tour',
    duplicateText:
      'Die neue Tour beginnt mit denselben Schritten, demselben Start und Design. Veröffentlichungen und Auswertungen bleiben bei der alten.',
    newText: 'Der Titel lässt sich jederzeit ändern.',
    copyOf: title => `Kopie von ${title}`,
    beginning: template => `Anfang mit „${template}“`,
    example: 'Erste Schritte',
    addressHint: 'Nennt die Tour in Links und im Code der Seite. Sie bleibt, wie sie ist.',
    duplicate: 'Tour duplizieren',
    create: 'Tour anlegen',
    begin: 'Anfangen mit',
  },
};
