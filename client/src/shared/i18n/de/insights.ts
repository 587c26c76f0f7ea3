import type { InsightsTexts } from '../en/insights';
import { counted, formatCount } from '../format';

export const insights: InsightsTexts = {
  days: {
    figure: 'Durchläufe je Tag. Die Tabelle zeigt dieselben Zahlen.',
    bar: (day, started, completed) =>
      `${day}: ${formatCount(started)} gestartet, ${formatCount(completed)} abgeschlossen`,
    started: 'gestartet',
    completed: 'abgeschlossen',
    asChart: 'Als Diagramm anzeigen',
    asTable: 'Als Tabelle anzeigen',
    caption: 'Durchläufe je Tag',
    day: 'Tag',
    title: 'Nach Tagen',
    description: days =>
      counted(days, {
        one: 'An diesem Tag gestartete Durchläufe.',
        other: 'An jedem der # Tage gestartete Durchläufe.',
      }),
  },
  figures: {
    started: 'Gestartet',
    completed: 'Abgeschlossen',
    dismissed: 'Geschlossen',
    counting: 'Besucher werden gezählt',
    visitors: count => counted(count, { one: '# Besucher', other: '# Besucher' }),
    rate: share => `${share} der gestarteten Durchläufe`,
    withGaps: count =>
      counted(count, {
        one: '# davon mit Lücken: Ein Element fehlte',
        other: '# davon mit Lücken: Elemente fehlten',
      }),
    dismissedBy: 'Schließen, Escape oder Klick daneben',
    stopped: 'Beendet',
    stoppedBy: 'durch Ihren Code, mit stop()',
    failed: 'Fehlgeschlagen',
    failedAt: 'Ein Element fehlte, und der Schritt beendet die Tour',
    superseded: 'Mit Veröffentlichung beendet',
    active: 'Aktiv',
    attempts: 'Nicht gezeigt',
    attemptsWithoutElement: count =>
      counted(count, { one: '#-mal fehlte das Element', other: '#-mal fehlte das Element' }),
    attemptsWithoutPlayer: count =>
      counted(count, { one: '#-mal lud der Player nicht', other: '#-mal lud der Player nicht' }),
    abandoned: 'Abgebrochen',
    abandonedAfter: '24 Stunden inaktiv',
    median: 'Mediandauer',
    about: duration => `etwa ${duration}`,
    aboutInShort: duration => `≈\u00A0${duration}`,
    medianOf: 'abgeschlossene Durchläufe',
  },
  trend: {
    change: (change, days) =>
      counted(days, { one: `${change} gegenüber dem Tag davor`, other: `${change} gegenüber den # Tagen davor` }),
    points: (points, days) =>
      counted(days, {
        one: `${points} Punkte gegenüber dem Tag davor`,
        other: `${points} Punkte gegenüber den # Tagen davor`,
      }),
    none: days => counted(days, { one: 'Keine am Tag davor', other: 'Keine in den # Tagen davor' }),
  },
  outcomes: {
    title: 'Wie Durchläufe endeten',
    description: 'Alle Durchläufe, die im Zeitraum begonnen haben.',
    completed: 'bis zum Ende der Tour',
    superseded: 'Die Veröffentlichung wurde gestoppt oder ersetzt',
    active: 'in den letzten 24 Stunden in der Tour',
  },
  funnel: {
    caption: 'Schritte der Tour: Besucher, die jeden Schritt gesehen haben, und Absprünge',
    step: 'Schritt',
    seen: 'Gesehen',
    dropOff: 'Absprünge',
    runsEndedAt: (count, step) =>
      `${counted(count, { one: '# Durchlauf anzeigen, der', other: '# Durchläufe anzeigen, die' })} bei „${step}“ endete${count === 1 ? '' : 'n'}`,
    stillActive: count => counted(count, { one: '# aktiv', other: '# aktiv' }),
    time: 'Dauer',
    missing: count => counted(count, { one: 'Element fehlte #-mal', other: 'Element fehlte #-mal' }),
    withGaps: count => `${formatCount(count)} mit Lücken`,
    notFound: count =>
      counted(count, { one: '#-mal nicht gefunden, nichts gezeigt', other: '#-mal nicht gefunden, nichts gezeigt' }),
    title: 'Trichter',
    largestDropOff: step => `Die meisten Besucher springen bei „${step}“ ab.`,
    even: 'An mehreren Schritten springt etwa der gleiche Anteil der Besucher ab.',
    noDropOff: 'Keine Absprünge zwischen den Schritten.',
    unclear: 'Noch gibt es zu wenige Daten, um zu sehen, wo die meisten Besucher abspringen.',
    gap: (runs, from, to) =>
      `${counted(runs, { one: '# Durchlauf ging', other: '# Durchläufe gingen' })} nach „${from}“ weiter, ${runs === 1 ? 'erreichte' : 'erreichten'} aber „${to}“ nicht.`,
    leftBetween: runs =>
      counted(runs, {
        one: '# Durchlauf endete zwischen zwei Schritten.',
        other: '# Durchläufe endeten zwischen zwei Schritten.',
      }),
    mostMissing: (runs, step) =>
      `In ${counted(runs, { one: '# Durchlauf', other: '# Durchläufen' })} fehlte das Element von „${step}“. Prüfen Sie sein Ziel.`,
    gaps: (runs, completed) =>
      `Abgeschlossene Durchläufe mit Lücken, weil ein Element fehlte: ${formatCount(runs)} von ${formatCount(completed)}.`,
    missingAt: (runs, step) => `„${step}“ (${counted(runs, { one: '# Durchlauf', other: '# Durchläufe' })})`,
    otherSteps: count => counted(count, { one: '# weiterer Schritt', other: '# weitere Schritte' }),
    missingAtSteps: steps => `Elemente fehlten bei ${steps}. Prüfen Sie ihre Ziele.`,
    hatched: 'Das Element fehlte, daher ging der Durchlauf ohne den Schritt weiter.',
    branched: 'Nicht jeder Durchlauf enthält jeden Schritt: Manche liegen auf einer Abzweigung oder kamen später dazu.',
    revisions: 'Die Titel stammen aus der neuesten Version. Frühere Versionen hatten vielleicht andere.',
    superseded: count =>
      counted(count, {
        one: '# Durchlauf endete mit seiner Veröffentlichung.',
        other: '# Durchläufe endeten mit ihrer Veröffentlichung.',
      }),
    active: count =>
      counted(count, {
        one: '# Durchlauf ist noch aktiv und zählt nicht als Absprung.',
        other: '# Durchläufe sind noch aktiv und zählen nicht als Absprünge.',
      }),
  },
  page: {
    title: 'Auswertung',
    description:
      'Sehen Sie, wer diese Tour gestartet hat, wie weit Besucher kamen und wo sie absprangen. Tage gelten in UTC.',
    range: 'Zeitraum',
    lastDays: days => counted(days, { one: '# Tag', other: '# Tage' }),
    own: 'Eigener',
    from: 'Von',
    to: 'Bis',
    site: 'Website',
    allSites: 'Alle Websites',
    loading: 'Auswertung wird geladen',
    noRuns: 'Keine Durchläufe in diesem Zeitraum',
    notFound: (visitors, step) =>
      `${counted(visitors, { one: '# Besucher traf', other: '# Besucher trafen' })} auf diese Tour und ${visitors === 1 ? 'sah' : 'sahen'} nichts: Das Element ${step === null ? 'ihres ersten Schritts' : `von „${step}“`} wurde nicht gefunden. Ein Besucher zählt einmal am Tag.`,
    notLoaded: visitors =>
      `Bei ${counted(visitors, { one: '# Besucher', other: '# Besuchern' })} konnte der Player nicht geladen werden. Ein Besucher zählt einmal am Tag.`,
    checkTarget: 'Ziel prüfen',
    release: 'Tour veröffentlichen',
    waiting: 'Diese Tour ist live. Zahlen erscheinen hier, sobald der erste Besucher sie startet.',
    notInstalled:
      'Diese Tour startet, sobald Waypost auf einer Website ihrer Veröffentlichung installiert ist. Dann erscheinen hier Zahlen.',
    notLive: 'Diese Tour ist nicht live. Nach der Veröffentlichung erscheinen hier Zahlen.',
  },
  runs: {
    title: 'Letzte Durchläufe',
    description: 'Durchläufe, die im Zeitraum begonnen haben, neueste zuerst.',
    loading: 'Durchläufe werden geladen',
    none: 'Keine Durchläufe in diesem Zeitraum.',
    noMatch: 'Keine passenden Durchläufe.',
    showAll: 'Alle Durchläufe anzeigen',
    anyStatus: 'Jeder Status',
    endedAt: 'Beendet bei Schritt',
    anyStep: 'Jeder Schritt',
    visitor: 'Besucher',
    status: 'Status',
    done: 'Abgeschlossene Schritte',
    doneOf: (done, all) => `${done} von ${all}`,
    time: 'Dauer',
    revision: 'Version',
    started: 'Gestartet',
  },
  runStates: {
    ACTIVE: 'aktiv',
    COMPLETED: 'abgeschlossen',
    DISMISSED: 'geschlossen',
    STOPPED: 'durch Ihren Code beendet',
    ABANDONED: 'abgebrochen',
    SUPERSEDED: 'mit der Veröffentlichung beendet',
    FAILED: 'fehlgeschlagen',
  },
  withGaps: 'mit Lücken',
  revisions: {
    title: 'Nach Versionen',
    description: 'Wählen Sie eine Version, um ihren Trichter zu sehen.',
    number: number => `Version ${formatCount(number)}`,
    only: number => (number === null ? 'Eine Version' : `Nur Version ${formatCount(number)}`),
    all: 'Alle Versionen anzeigen',
  },
  lift: {
    title: 'Wirkung',
    description:
      'Wie stark jede Veröffentlichung ihr Ziel steigert: Besucher, denen die Tour angeboten wurde (ob sie sie gestartet haben oder nicht), verglichen mit der Kontrollgruppe.',
    loading: 'Wirkung wird geladen',
    noGoal:
      'Noch keine Veröffentlichung hat ein Ziel. Legen Sie ein Zielereignis und eine Kontrollgruppe fest, um Besucher mit und ohne Tour zu vergleichen.',
    toReleases: 'Zu den Veröffentlichungen',
    noHoldout: 'Es gibt keine Kontrollgruppe zum Vergleichen. Fügen Sie der Veröffentlichung eine hinzu.',
    tooFew: (offered, held) =>
      `Noch zu wenige Daten: Die Tour wurde ${counted(offered, { one: '# Besucher', other: '# Besuchern' })} angeboten, ${formatCount(held)} gehören zur Kontrollgruppe.`,
    unclear: (event, low, high) => `Noch keine klare Wirkung auf „${event}“: ${low} bis ${high} Prozentpunkte.`,
    more: (event, low, high) => `Mehr Besucher erreichen „${event}“: ${low} bis ${high} Prozentpunkte.`,
    fewer: (event, low, high) => `Weniger Besucher erreichen „${event}“: ${low} bis ${high} Prozentpunkte.`,
    release: (revision, site, isRollback) =>
      `Version ${formatCount(revision)} auf ${site}${isRollback ? ' (Rollback)' : ''}`,
    about: release => `${release}:`,
    othersBelow: 'Jede Veröffentlichung wird für sich gemessen. Die anderen stehen unten.',
    time: (from, to) => (to === null ? `seit ${from}` : `${from} – ${to}`),
    points: 'Prozentpunkte, 95-%-Intervall',
    goal: 'Ziel',
    offered: 'Angeboten',
    holdout: 'Kontrollgruppe',
    of: (reached, people) => `${formatCount(reached)} von ${formatCount(people)}`,
    noVisitors: 'keine Besucher',
    difference: 'Unterschied',
    interval: '95-%-Intervall',
    between: (low, high) => `${low} bis ${high}`,
    relative: 'Relativ',
  },
  export: {
    lift: 'Wirkung als CSV exportieren',
    steps: 'Schritte als CSV exportieren',
    days: 'Tage als CSV exportieren',
  },
  range: {
    both: 'Wählen Sie ein Start- und ein Enddatum.',
    order: 'Das Startdatum darf nicht nach dem Enddatum liegen.',
    tooLong: days => `Wählen Sie einen Zeitraum von höchstens ${formatCount(days)} Tagen.`,
  },
};
