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
    WAITING: 'Veröffentlicht, nicht installiert',
    PAUSED: 'Pausiert',
    STOPPED: 'Gestoppt',
    ARCHIVED: 'Archiviert',
    changed: 'Unveröffentlichte Änderungen',
    revisions: {
      LIVE: (revisions, passed) => {
        const numbers = formatList(revisions.map(formatCount));
        const live = counted(revisions.length, {
          one: `Live: Version ${numbers}`,
          other: `Live: Versionen ${numbers}`,
        });
        return passed === null ? live : `${live} (neueste: ${formatCount(passed)})`;
      },
      WAITING: (revisions, passed) => {
        const numbers = formatList(revisions.map(formatCount));
        const released = counted(revisions.length, {
          one: `Veröffentlicht, nicht installiert: Version ${numbers}`,
          other: `Veröffentlicht, nicht installiert: Versionen ${numbers}`,
        });
        return passed === null ? released : `${released} (neueste: ${formatCount(passed)})`;
      },
      PAUSED: (revisions, passed) => {
        const numbers = formatList(revisions.map(formatCount));
        const paused = counted(revisions.length, {
          one: `Pausiert: Version ${numbers}`,
          other: `Pausiert: Versionen ${numbers}`,
        });
        return passed === null ? paused : `${paused} (neueste: ${formatCount(passed)})`;
      },
    },
  },
  revision: {
    draft: 'Entwurf',
    inReview: 'In Prüfung',
    returned: 'Änderungen angefordert',
    frozen: 'Veröffentlicht',
  },
  title: {
    archived: 'Stellen Sie die Tour wieder her, um sie umzubenennen.',
    rename: 'Umbenennen',
    dialog: 'Tour umbenennen',
    done: 'Tour umbenannt.',
    hint: 'Besucher sehen diesen Titel. Der Slug bleibt gleich.',
    label: 'Titel',
  },
  frame: {
    loading: 'Tour wird geladen',
    write: 'Bearbeiten',
    release: 'Veröffentlichungen',
    insights: 'Auswertung',
    tour: 'Tour',
    openBy: names =>
      counted(names.length, {
        one: `${formatList(names)} hat diese Tour auch geöffnet`,
        other: `${formatList(names)} haben diese Tour auch geöffnet`,
      }),
    live: 'Diese Tour ist live. Stoppen Sie sie zuerst auf allen Websites.',
    duplicateThis: 'Diese Tour duplizieren',
    more: 'Aktionen für diese Tour',
    duplicate: 'Duplizieren',
    archive: 'Archivieren',
    archiveTitle: title => `„${title}“ archivieren?`,
    archiveTour: 'Tour archivieren',
    archived: title => `„${title}“ archiviert.`,
    archiveText:
      'Sie kann nicht bearbeitet oder veröffentlicht werden, bis sie wiederhergestellt wird. Ihre Auswertung bleibt erhalten.',
    isArchived: 'Diese Tour ist archiviert. Stellen Sie sie wieder her, um sie zu bearbeiten oder zu veröffentlichen.',
    restore: 'Wiederherstellen',
    thisTour: 'Diese Tour',
  },
  broken: {
    tour: 'Elemente fehlen',
    hint: 'In den meisten Durchläufen der letzten 7 Tage fand ein Schritt sein Element nicht. Siehe Auswertung.',
  },
  language: {
    example: 'de-LI',
    other: 'Eine andere Sprache …',
    tag: 'Sprachkürzel',
  },
  firstSteps: {
    title: 'Veröffentlichen Sie Ihre erste Tour',
    description: 'Vier Schritte vom leeren Arbeitsbereich zu Besuchern, die eine Tour sehen.',
    done: 'Erledigt: ',
    open: 'Offen: ',
    names: {
      site: 'Website hinzufügen',
      install: 'Waypost auf ihren Seiten installieren',
      tour: 'Tour schreiben',
      release: 'Tour veröffentlichen',
    },
    hints: {
      site: 'Eine Website ist eine Anwendung, etwa Ihr Shop, mit den Adressen ihrer Seiten.',
      install: 'Die Seite der Website zeigt, was Sie einbauen, und ob eine Seite ihre Touren geladen hat.',
      tour: 'Beginnen Sie mit einer Vorlage oder einer leeren Tour.',
      release: 'Wählen Sie die Website und wer die Tour sieht.',
    },
    before: {
      install: 'Fügen Sie zuerst Ihre Website hinzu.',
      release: 'Schreiben Sie zuerst eine Tour.',
    },
  },
  list: {
    title: 'Touren',
    new: 'Neue Tour',
    description: 'Geführte Touren, die Besuchern Ihr Produkt Schritt für Schritt zeigen.',
    status: 'Status',
    loading: 'Touren werden geladen',
    count: count => counted(count, { one: '# Tour', other: '# Touren' }),
    days: 'Durchläufe sind die der letzten 30 Tage.',
    found: count => counted(count, { one: '# Tour gefunden', other: '# Touren gefunden' }),
    noMatch: 'Keine passenden Touren',
    showAll: 'Alle Touren anzeigen',
    noMatchFor: (search, filtered) =>
      filtered
        ? `Keine Touren mit dieser Website und diesem Status passen zu „${search}“.`
        : `Keine Touren passen zu „${search}“.`,
    noneWithFilter: 'Keine Touren haben diese Website und diesen Status.',
    empty: 'Noch keine Touren',
    emptyText:
      'Eine Tour führt Besucher Schritt für Schritt durch eine Seite. Für die erste brauchen Sie nur einen Titel und zwei oder drei Schritte.',
    search: 'Touren suchen',
    searchHint: 'Titel oder Slug',
    allSites: 'Alle Websites',
    columns: {
      tour: 'Tour',
      status: 'Status',
      sites: 'Website',
      runs: 'Durchläufe',
      completion: 'Abschluss',
      changed: 'Geändert',
    },
    by: author => `von ${author}`,
    builtIn: 'Die Touren der Oberfläche von Waypost sind integriert.',
    showBuiltIn: 'Integrierte Touren anzeigen',
  },
  selection: {
    label: 'Ausgewählte Touren',
    count: count => counted(count, { one: '# Tour ausgewählt', other: '# Touren ausgewählt' }),
    archive: 'Ausgewählte Touren archivieren',
    restore: 'Ausgewählte Touren wiederherstellen',
    clear: 'Auswahl aufheben',
    live: titles =>
      counted(titles.length, {
        one: `„${formatList(titles)}“ ist live. Stoppen Sie sie zuerst auf allen Websites.`,
        other: '# der ausgewählten Touren sind live. Stoppen Sie sie zuerst auf allen Websites.',
      }),
    archived: count => counted(count, { one: '# Tour archiviert.', other: '# Touren archiviert.' }),
    restored: count => counted(count, { one: '# Tour wiederhergestellt.', other: '# Touren wiederhergestellt.' }),
    failed: (titles, reason) => `Nicht geändert: ${formatList(titles)}. ${reason}`,
    undo: 'Rückgängig machen',
  },
  picker: {
    placeholder: 'Tour suchen',
    nothing: 'Keine Touren passen.',
    more: count =>
      counted(count, {
        one: '# weitere Tour. Tippen Sie, um zu suchen.',
        other: '# weitere Touren. Tippen Sie, um zu suchen.',
      }),
  },
  filters: {
    ALL: 'Alle',
    LIVE: 'Live',
    PAUSED: 'Pausiert',
    STOPPED: 'Gestoppt',
    DRAFT: 'Entwürfe',
    IN_REVIEW: 'In Prüfung',
    ARCHIVED: 'Archiviert',
  },
  create: {
    duplicateTitle: title => `„${title}“ duplizieren`,
    new: 'Neue Tour',
    duplicateText:
      'Die neue Tour bekommt dieselben Schritte, dieselbe Startregel und dasselbe Design. Veröffentlichungen und Auswertungen bleiben beim Original.',
    newText: 'Sie können den Titel jederzeit ändern.',
    copyOf: title => `Kopie von ${title}`,
    template: template => `Vorlage „${template}“`,
    example: 'Erste Schritte',
    addressHint: 'Wird in Links und Code verwendet. Kann später nicht geändert werden.',
    language: 'Sprache',
    languageHint: 'Die Sprache, in der Sie die Schritte schreiben.',
    duplicate: 'Tour duplizieren',
    create: 'Tour anlegen',
    startFrom: 'Beginnen mit',
  },
};
