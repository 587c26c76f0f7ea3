import type { ExplainTexts } from '../en/explain';
import { formatDateTime } from '../format';

export const explain: ExplainTexts = {
  title: 'Warum läuft eine Tour, oder warum nicht?',
  description: 'Prüft für diese Person und in diesem Moment alles, wovon abhängt, ob eine Tour kommt.',
  tour: 'Tour',
  page: 'Seite',
  pageHint: 'Die ganze Adresse der Seite, auf der die Person ist. Vorgegeben ist die letzte, die bekannt ist.',
  noAddress: 'Das ist keine Adresse: Sie beginnt mit https://',
  submit: 'Erklären',
  noTours: 'Es gibt noch keine Tour.',
  plays: 'Auf dieser Seite beginnt die Tour für diese Person.',
  resumes: 'Die Tour geht für diese Person weiter, wo sie war.',
  playsNot: 'Auf dieser Seite beginnt die Tour für diese Person nicht von selbst.',
  alsoClosed: names => `Danach geschlossen: ${names}.`,
  gates: 'Die Schranken, in der Reihenfolge der Fragen',
  open: 'offen',
  closed: 'geschlossen',
  names: {
    ORIGIN: 'Website',
    RELEASE: 'Veröffentlichung',
    SCHEDULE: 'Zeitplan',
    HOLDOUT: 'Vergleichsgruppe',
    ROLLOUT: 'Anteil',
    AUDIENCE: 'Publikum',
    FREQUENCY: 'Häufigkeit',
    QUIET_HOURS: 'Ruhezeit',
    PAGE: 'Seite',
    TRIGGER: 'Beginn',
    OTHER_TOUR: 'Andere Touren',
  },
  passes: {
    ORIGIN: 'Die Seite gehört zur Website.',
    RELEASE: 'Die Tour ist auf dieser Website veröffentlicht.',
    SCHEDULE: 'Die Veröffentlichung ist in ihrer Zeit.',
    HOLDOUT: 'Diese Person ist nicht in der Vergleichsgruppe.',
    ROLLOUT: 'Der Anteil erreicht diese Person.',
    AUDIENCE: 'Was hier bekannt ist, passt zur Bedingung; was nur die Seite weiß, entscheidet die Seite.',
    QUIET_HOURS: 'In letzter Zeit kam keine andere Tour von selbst.',
    FREQUENCY: 'Sie hat die Tour noch nicht so oft gesehen, wie die Regel erlaubt.',
    PAGE: 'Die Seite passt zur Startregel.',
    TRIGGER: 'Sie beginnt von selbst, oder sie geht weiter.',
    OTHER_TOUR: 'Keine andere Tour geht vor.',
  },
  reasons: {
    ORIGIN_NOT_ALLOWED: {
      why: ({ found }) => `${found} steht nicht auf der Liste der Website.`,
      fix: 'Zu den Webadressen der Website hinzufügen, oder eine Seite der Website wählen.',
    },
    NOT_RELEASED: { why: () => 'Die Tour ist auf dieser Website nicht veröffentlicht.', fix: 'Dort veröffentlichen.' },
    PAUSED: { why: () => 'Die Veröffentlichung ist angehalten.', fix: 'Unter Veröffentlichungen fortsetzen.' },
    NOT_YET: {
      why: ({ at }) => `Die Veröffentlichung beginnt ${formatDateTime(at)}.`,
      fix: 'Warten, oder mit früherem Beginn veröffentlichen.',
    },
    OVER: {
      why: ({ at }) => `Die Veröffentlichung endete ${formatDateTime(at)}.`,
      fix: 'Noch einmal mit späterem Ende veröffentlichen.',
    },
    HELD_OUT: {
      why: () => 'Diese Person gehört zur Vergleichsgruppe und bekommt die Tour nie.',
      fix: 'Das ist richtig so. Eine kleinere Vergleichsgruppe lässt weniger Personen aus.',
    },
    BEYOND_ROLLOUT: {
      why: () => 'Der Anteil erreicht diese Person noch nicht.',
      fix: 'Den Anteil unter Veröffentlichungen erhöhen.',
    },
    SEEN: {
      why: () => 'Sie hat die Tour so oft gesehen, wie die Regel erlaubt.',
      fix: 'Eine andere Häufigkeit wählen, oder die eigene Testperson zurücksetzen.',
    },
    SEEN_LATELY: {
      why: ({ at }) => `Sie hat die Tour vor Kurzem gesehen; sie kommt wieder ${formatDateTime(at)}.`,
      fix: 'In der Startregel weniger Tage wählen, oder die eigene Testperson zurücksetzen.',
    },
    CONDITION_FAILS: {
      why: () => 'Die Bedingung verlangt etwas anderes von anderen Touren.',
      fix: 'Die Bedingung in der Startregel ändern.',
    },
    QUIET: {
      why: ({ at }) => `Eine andere Tour kam von selbst; Ruhe herrscht bis ${formatDateTime(at)}.`,
      fix: 'Die Tour in ihrer Startregel auch in der Ruhezeit kommen lassen; oder jemand mit Verwaltungsrechten verkürzt die der Website.',
    },
    WAITS_FOR_EVENT: {
      why: ({ expected }) => `Sie beginnt in dem Moment, in dem die Seite ${expected} meldet.`,
      fix: 'Tut die Seite das, ist nichts falsch. Sonst die Seite das Ereignis melden lassen, oder einen anderen Start wählen.',
    },
    OTHER_PAGE: {
      why: ({ expected, found }) => `Die Tour beginnt auf ${expected}; die Seite ist ${found}.`,
      fix: 'Eine passende Seite wählen, oder die Startregel ändern.',
    },
    MANUAL: {
      why: () => 'Die Tour beginnt nur, wenn die Seite nach ihr fragt.',
      fix: 'Die Seite sie über ihre Adresse starten lassen, oder sie von selbst beginnen lassen.',
    },
    OTHER_TOUR_FIRST: {
      why: ({ found }) => `„${found}“ geht auf dieser Seite vor.`,
      fix: 'In den Startregeln dieser Tour einen höheren Vorrang geben, oder die andere seltener kommen lassen.',
    },
  },
  rollout: percent => `Ab ${percent} erreicht sie sie.`,
  frequencies: {
    ONCE: 'einmal',
    EVERY_N_DAYS: 'alle paar Tage',
    UNTIL_COMPLETED: 'bis sie vollständig war',
    ALWAYS: 'bei jedem Besuch',
  },
  rule: frequency => `Ihre Regel: ${frequency}.`,
};
