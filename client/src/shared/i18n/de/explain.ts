import type { ExplainTexts } from '../en/explain';
import { counted, formatDateTime } from '../format';

export const explain: ExplainTexts = {
  title: 'Warum erscheint eine Tour oder erscheint nicht?',
  description: 'Prüft jede Regel für diesen Besucher und diese Seite, genau jetzt.',
  tour: 'Tour',
  page: 'Seite',
  pageHint: 'Vollständige Adresse der Seite. Vorgabe ist die letzte Seite, die dieser Besucher geöffnet hat.',
  noAddress: 'Geben Sie eine vollständige Adresse ein, die mit https:// beginnt',
  submit: 'Erklären',
  starts: 'Auf dieser Seite startet die Tour für diesen Besucher.',
  resumes: 'Die Tour wird für diesen Besucher dort fortgesetzt, wo sie unterbrochen wurde.',
  doesNotStart: 'Auf dieser Seite startet die Tour für diesen Besucher nicht automatisch.',
  noTour: 'Wählen Sie eine Tour.',
  alsoNotMet: 'Ebenfalls nicht erfüllt',
  met: count => counted(count, { one: '# Prüfung erfüllt', other: '# Prüfungen erfüllt' }),
  names: {
    ORIGIN: 'Website',
    RELEASE: 'Veröffentlichung',
    SCHEDULE: 'Zeitplan',
    HOLDOUT: 'Kontrollgruppe',
    ROLLOUT: 'Rollout',
    AUDIENCE: 'Zielgruppe',
    FREQUENCY: 'Häufigkeit',
    COOLDOWN: 'Mindestabstand',
    PAGE: 'Seite',
    TRIGGER: 'Start',
    OTHER_TOUR: 'Andere Touren',
    PLAYER: 'Player',
    ELEMENT: 'Element',
  },
  passes: {
    ORIGIN: 'Die Seite gehört zu dieser Website.',
    RELEASE: 'Die Tour ist auf dieser Website live.',
    SCHEDULE: 'Der jetzige Zeitpunkt liegt im Zeitplan der Veröffentlichung.',
    HOLDOUT: 'Dieser Besucher gehört nicht zur Kontrollgruppe.',
    ROLLOUT: 'Der Rollout schließt diesen Besucher ein.',
    AUDIENCE: 'Passt zur Zielgruppe, soweit der Server es weiß. Bedingungen an die Seite prüft der Browser.',
    COOLDOWN: 'In letzter Zeit ist keine andere Tour automatisch gestartet.',
    FREQUENCY: 'Noch nicht so oft gezeigt wie erlaubt.',
    PAGE: 'Die Seite passt zur Startregel.',
    TRIGGER: 'Startet automatisch oder wird fortgesetzt.',
    OTHER_TOUR: 'Keine andere Tour hat Vorrang.',
    PLAYER: 'Seit die Tour zuletzt erschien, hat keine Seite dieses Besuchers gemeldet, dass der Player nicht lädt.',
    ELEMENT: 'Seit die Tour zuletzt erschien, hat keine Seite dieses Besuchers gemeldet, dass das Element fehlt.',
  },
  reasons: {
    ORIGIN_NOT_ALLOWED: {
      why: ({ found, site }) =>
        `${found} gehört nicht zu den erlaubten Adressen von ${site}, der Website dieses Besuchers.`,
      fix: 'Fügen Sie sie den erlaubten Adressen hinzu, oder wählen Sie eine Seite der Website.',
    },
    NOT_RELEASED: {
      why: ({ site }) => `Die Tour ist auf ${site}, der Website dieses Besuchers, nicht live.`,
      fix: 'Veröffentlichen Sie sie auf dieser Website, oder wählen Sie einen Besucher einer anderen.',
    },
    PAUSED: {
      why: () => 'Die Veröffentlichung ist pausiert.',
      fix: 'Setzen Sie sie unter „Veröffentlichungen“ fort.',
    },
    NOT_YET: {
      why: ({ at }) => `Die Veröffentlichung beginnt ${formatDateTime(at)}.`,
      fix: 'Warten Sie, oder veröffentlichen Sie sie mit früherem Beginn.',
    },
    OVER: {
      why: ({ at }) => `Die Veröffentlichung endete ${formatDateTime(at)}.`,
      fix: 'Veröffentlichen Sie sie erneut mit späterem Ende.',
    },
    IN_HOLDOUT: {
      why: () => 'Dieser Besucher gehört zur Kontrollgruppe.',
      fix: 'Das ist beabsichtigt. Eine kleinere Kontrollgruppe schließt weniger Besucher aus.',
    },
    BEYOND_ROLLOUT: {
      why: () => 'Der Rollout schließt diesen Besucher noch nicht ein.',
      fix: 'Erhöhen Sie den Rollout unter „Veröffentlichungen“.',
    },
    SEEN: {
      why: () => 'Bereits so oft gezeigt wie erlaubt.',
      fix: 'Wählen Sie eine andere Häufigkeit. Wenn dies Ihr Testbesucher ist, setzen Sie ihn zurück.',
    },
    SEEN_RECENTLY: {
      why: ({ at }) => `Kürzlich gezeigt. Erscheint wieder ${formatDateTime(at)}.`,
      fix: 'Wählen Sie in der Startregel weniger Tage. Wenn dies Ihr Testbesucher ist, setzen Sie ihn zurück.',
    },
    CONDITION_FAILS: {
      why: () => 'Der Besucher gehört nicht zur Zielgruppe der Tour.',
      fix: 'Ändern Sie in der Startregel, wer die Tour sieht, oder ändern Sie das Segment.',
    },
    COOLDOWN: {
      why: ({ at }) => `Eine andere Tour ist automatisch gestartet. Der Mindestabstand gilt bis ${formatDateTime(at)}.`,
      fix: 'Lassen Sie diese Tour in ihrer Startregel den Mindestabstand ignorieren, oder lassen Sie ihn bei der Website verkürzen.',
    },
    WAITS_FOR_EVENT: {
      why: ({ expected }) => `Startet, wenn das Ereignis ${expected} eintrifft.`,
      fix: 'Das ist in Ordnung, wenn die Seite das Ereignis sendet. Senden Sie es sonst, oder wählen Sie eine andere Startregel.',
    },
    OTHER_PAGE: {
      why: ({ expected, found }) => `Die Tour startet auf ${expected}; diese Seite ist ${found}.`,
      fix: 'Wählen Sie eine passende Seite, oder ändern Sie die Startregel.',
    },
    MANUAL: {
      why: () => 'Die Tour startet nur, wenn Ihr Code sie startet.',
      fix: 'Starten Sie sie in Ihrem Code über ihren Slug, oder lassen Sie sie automatisch starten.',
    },
    OTHER_TOUR_FIRST: {
      why: ({ found }) => `„${found}“ hat auf dieser Seite Vorrang.`,
      fix: 'Geben Sie dieser Tour eine höhere Priorität, oder lassen Sie die andere seltener erscheinen.',
    },
    PLAYER_FAILED: {
      why: ({ at }) => `Beim letzten Besuch, ${formatDateTime(at)}, konnte der Player nicht geladen werden.`,
      fix: 'Wenn das wieder geschieht, prüfen Sie, ob die Content-Security-Policy der Seite das Skript erlaubt.',
    },
    ELEMENT_MISSING: {
      why: ({ at, expected }) =>
        `${expected ? `Das Element von „${expected}“` : 'Das Element des ersten Schritts'} wurde beim letzten Besuch, ${formatDateTime(at)}, nicht gefunden. Deshalb zeigte die Tour nichts.`,
      fix: 'Prüfen Sie das Ziel des Schritts, oder starten Sie die Tour nur auf Seiten mit dem Element.',
    },
  },
  rollout: percent => `Eingeschlossen ab ${percent}.`,
  frequencies: {
    ONCE: 'einmal',
    EVERY_N_DAYS: 'alle paar Tage',
    UNTIL_COMPLETED: 'bis zum Abschluss',
    ALWAYS: 'bei jedem Besuch',
  },
  rule: frequency => `Häufigkeit: ${frequency}.`,
};
