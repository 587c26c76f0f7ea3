import type { ReleaseTexts } from '../en/release';
import { counted, formatCount } from '../format';

export const release: ReleaseTexts = {
  dialog: {
    title: revision => `Version ${revision} veröffentlichen`,
    titleAgain: revision => `Version ${revision} erneut veröffentlichen`,
    description: 'Diese Version wird eingefroren und geht auf den gewählten Websites live.',
    descriptionAgain: 'Der Entwurf hat keine Änderungen seit dieser Version. Sie geht auf den gewählten Websites live.',
    replaces: 'Sie ersetzt die aktuelle Veröffentlichung dieser Tour.',
    released: (tour, sites) =>
      `„${tour}“ ist für ${sites} veröffentlicht. Sie startet, sobald Waypost dort installiert ist.`,
    nowLive: (tour, sites) => `„${tour}“ ist jetzt live auf ${sites}.`,
    sites: 'Websites',
    notInstalled:
      'Waypost ist auf dieser Website noch nicht installiert. Sie können jetzt veröffentlichen; die Tour startet nach der Installation.',
    own: 'Die Oberfläche von Waypost selbst: Alle, die sich anmelden, sehen die Tour.',
    sameAsCurrent: 'Dieselben Websites und dieselbe Zielgruppe wie bisher. Passen Sie sie bei Bedarf an.',
    sameAsLast: 'Dieselbe Website und Zielgruppe wie bei der letzten Veröffentlichung. Passen Sie sie bei Bedarf an.',
    chooseSite: 'Wählen Sie mindestens eine Website.',
    note: 'Notiz',
    noteHint: 'Was hat sich geändert? (für Ihr Team sichtbar)',
    solveFirst: 'Beheben Sie zuerst die Probleme.',
    submit: 'Veröffentlichen',
    blockers: 'Beheben Sie diese Probleme vor dem Veröffentlichen:',
    warnings: 'Vor dem Veröffentlichen zu bedenken:',
    problems: 'Probleme',
  },
  page: {
    loading: 'Veröffentlichungen werden geladen',
    archived: 'Diese Tour ist archiviert. Stellen Sie sie wieder her, um sie zu veröffentlichen.',
    siteFirst: 'Legen Sie zuerst eine Website an.',
    title: 'Veröffentlichungen',
    noSite: 'Noch keine Websites',
    toSites: 'Zu den Websites',
    noSiteText: 'Touren werden auf Websites veröffentlicht. Legen Sie die erste an, und kommen Sie dann zurück.',
    live: 'Live',
    released: 'Veröffentlicht',
    paused: 'Pausiert',
    scheduled: 'Geplant',
    openPage: 'Zuletzt besuchte Seite öffnen',
    seeAgain: visitors => <>Um die Tour erneut zu sehen, setzen Sie Ihren Besuch unter {visitors} zurück.</>,
    firstPage: 'Startet, sobald Waypost auf dieser Website installiert ist',
    release: 'Veröffentlichen',
    liveSince: (revision, since, by, backTo) =>
      backTo === null ? (
        <>
          {revision}, veröffentlicht von {by} am {since}.
        </>
      ) : (
        <>
          {revision}, von {by} am {since} zurückgerollt auf die Veröffentlichung vom {backTo}.
        </>
      ),
    pausedBy: (when, who) => `Pausiert von ${who} am ${when}.`,
    revision: number => `Version ${number}`,
    quoted: note => `„${note}“`,
    notLive: 'Zurzeit hier nicht live.',
    notReleased: 'Hier noch nicht veröffentlicht.',
    history: count => counted(count, { one: 'Verlauf: # Veröffentlichung', other: 'Verlauf: # Veröffentlichungen' }),
    releasesOn: site => `Veröffentlichungen auf ${site}`,
    rollback: '(Rollback)',
    adjusted: '(Einstellungen geändert)',
    by: (when, who) => `${when} von ${who}`,
    endedOnSchedule: when => `Wie geplant beendet am ${when}`,
    replaced: 'Ersetzt',
    changed: { LIVE: 'Fortgesetzt', PAUSED: 'Pausiert', ENDED: 'Gestoppt' },
  },
  terms: {
    title: 'Rollout, Ziel und Zeitplan',
    allVisitors: 'alle Besucher, ab sofort',
    everyone: 'alle Besucher',
    rollout: 'Rollout',
    rolloutHint:
      'Anteil der Besucher, die die Tour sehen können. Wenn Sie ihn später erhöhen, bleiben alle bisherigen dabei.',
    holdout: 'Kontrollgruppe',
    holdoutHint: 'Anteil der Besucher, die sie zum Vergleich nie sehen. Wird vor dem Rollout abgezogen.',
    atMost: percent => `Höchstens ${percent} %.`,
    rolloutExhausted: percent =>
      `Ein Rollout über ${percent} % hat keine Wirkung, weil die übrigen zur Kontrollgruppe gehören.`,
    ofHundred: ({ holdout, seen, waiting }) => {
      const parts = [
        counted(seen, { one: '# sieht die Tour', other: '# sehen die Tour' }),
        ...(holdout > 0
          ? [counted(holdout, { one: '# sieht sie nie (Kontrollgruppe)', other: '# sehen sie nie (Kontrollgruppe)' })]
          : []),
        ...(waiting > 0
          ? [counted(waiting, { one: '# liegt außerhalb des Rollouts', other: '# liegen außerhalb des Rollouts' })]
          : []),
      ];
      return `Von 100 passenden Besuchern: ${parts.join(', ')}.`;
    },
    goal: 'Ziel',
    goalHint:
      'Das Ereignis, zu dem diese Tour führen soll, z. B. order_placed. Die Auswertung vergleicht, wie viele Besucher es erreichen. Senden Sie es aus Ihrer Seite:',
    goalIsStartEvent: 'Die Tour startet mit diesem Ereignis. Alle, die sie sehen, haben das Ziel also schon erreicht.',
    goalMissing: 'Ohne Ziel gibt es mit der Kontrollgruppe nichts zu vergleichen.',
    startsAt: 'Beginnt',
    startsAtHint: 'In Ihrer Zeitzone. Leer lassen, um sofort zu beginnen.',
    endsAt: 'Endet',
    endsAtHint: 'Leer lassen, damit sie bis zum Stoppen läuft.',
    endFirst: 'Die Veröffentlichung würde vor ihrem Beginn enden. Wählen Sie ein späteres Ende.',
    endActiveRuns: 'Tour für alle neu starten, die sie gerade durchlaufen',
    endActiveRunsHint: 'Sonst geht es für sie dort weiter, wo sie waren.',
    stopActiveRuns: 'Aktive Durchläufe beenden',
    stopActiveRunsHint: 'Sonst gelten sie als aktiv, bis sie abgeschlossen, geschlossen oder abgebrochen sind.',
    for: share => `${share} der Besucher`,
    holdoutShare: share => `${share} Kontrollgruppe`,
    goalIs: event => `Ziel: ${event}`,
    from: when => `ab ${when}`,
    until: when => `bis ${when}`,
  },
  impact: {
    title: 'Was sich für Besucher ändert',
    loading: 'Besucher werden gezählt',
    part: 'Besucher',
    before: 'Jetzt',
    after: 'Danach',
    notLive: 'Dort jetzt nicht live.',
    pausedNow: revision => `Version ${revision} ist dort pausiert.`,
    scheduled: (revision, when) => `Version ${revision} ist dort für ${when} geplant.`,
    live: revision => `Version ${revision} ist dort live.`,
    afterPause: 'Kein Besucher sieht die Tour, bis Sie sie fortsetzen.',
    afterEnd: 'Kein Besucher sieht die Tour mehr.',
    afterSchedule: (revision, when) => `Kein Besucher sieht die Tour bis ${when}; dann geht Version ${revision} live.`,
    goesLive: revision => `Version ${revision} geht live.`,
    staysLive: 'Sie bleibt live.',
    noneActive: 'Gerade ist niemand in der Tour.',
    active: count =>
      counted(count, { one: '# Besucher ist gerade in der Tour:', other: '# Besucher sind gerade in der Tour:' }),
    activePaused: 'Nach der Pause geht es weiter, wenn der letzte Schritt höchstens 24 Stunden zurückliegt.',
    activeEnded: 'Ihre Durchläufe enden. Auf bereits geöffneten Seiten kann die Tour noch abgeschlossen werden.',
    activeLeft:
      'Auf bereits geöffneten Seiten kann die Tour noch abgeschlossen werden; auf anderen geht sie nicht weiter.',
    activeAgain: 'Ihre Durchläufe enden, und die Tour startet für sie neu.',
    activeContinue: ways => `${ways}.`,
    stay: count =>
      counted(count, {
        one: '# bleibt beim aktuellen Schritt',
        other: '# bleiben beim aktuellen Schritt',
      }),
    move: count =>
      counted(count, {
        one: '# kommt zum ersten ungesehenen Schritt, weil der aktuelle entfernt wurde',
        other: '# kommen zum ersten ungesehenen Schritt, weil der aktuelle entfernt wurde',
      }),
    finish: count =>
      counted(count, {
        one: '# hat alle Schritte gesehen und kommt zum letzten',
        other: '# haben alle Schritte gesehen und kommen zum letzten',
      }),
    sameContent: 'Die Schritte sind unverändert.',
    added: (count, steps) =>
      `${counted(count, { one: '# Schritt hinzugefügt', other: '# Schritte hinzugefügt' })}: ${steps}.`,
    removed: (count, steps) =>
      `${counted(count, { one: '# Schritt entfernt', other: '# Schritte entfernt' })}: ${steps}.`,
    changed: (count, steps) =>
      `${counted(count, { one: '# Schritt geändert', other: '# Schritte geändert' })}: ${steps}.`,
    reordered: 'Die Reihenfolge der Schritte hat sich geändert.',
    otherStart: changes => `Die Startregel hat sich geändert: ${changes}.`,
    startField: (name, before, after) => `${name} „${after}“ statt „${before}“`,
    otherTheme: 'Das Design hat sich geändert.',
    noVisitors:
      'Keine bekannten Besucher auf dieser Website in den letzten 30 Tagen. Anonyme Besucher zählen ab ihrer ersten Tour.',
    visitors: count =>
      count >= 10_000
        ? `Die ${formatCount(count)} neuesten Besucher`
        : counted(count, {
            one: 'Der eine Besucher der letzten 30 Tage',
            other: 'Die # Besucher der letzten 30 Tage',
          }),
    parts: {
      active: 'sind in der Tour und machen weiter',
      reached: 'können die Tour starten',
      coolingDown: 'sind im Mindestabstand nach einer anderen Tour',
      waiting: 'liegen außerhalb des Rollouts',
      holdout: 'gehören zur Kontrollgruppe und sehen sie nie',
      seen: 'haben sie bereits so oft gesehen wie erlaubt',
      nothing: 'sehen sie nicht: keine Veröffentlichung ist live',
    },
  },
  actions: {
    noEarlier: revision =>
      `Version ${revision} ist die einzige, die auf dieser Website veröffentlicht wurde. Es gibt keine andere, auf die Sie zurückrollen können.`,
    rollBack: 'Zurückrollen',
    rollBackToRevision: revision => `Auf Version ${formatCount(revision)} zurückrollen`,
    rollBackTitle: site => `Auf ${site} zurückrollen?`,
    liveAgain: (revision, site) => `Version ${revision} ist wieder live auf ${site}.`,
    rollBackText: (previous, when, now) =>
      `Version ${previous}, veröffentlicht am ${when}, ersetzt Version ${now}. Der Entwurf bleibt unverändert.`,
    rollBackSettings: (before, after) => `Die Einstellungen ändern sich von „${before}“ zu „${after}“.`,
    rollBackTo: 'Version',
    rollBackChoice: (revision, when) => `Version ${revision}, veröffentlicht am ${when}`,
    noteHint: 'Grund (für Ihr Team sichtbar)',
    adjust: 'Einstellungen bearbeiten',
    adjustTitle: site => `Einstellungen der Veröffentlichung auf ${site}`,
    adjustText: revision => `Version ${revision} bleibt live. Aktive Durchläufe gehen weiter.`,
    adjustSubmit: 'Speichern',
    adjusted: site => `Einstellungen der Veröffentlichung auf ${site} gespeichert.`,
    pause: 'Pausieren',
    pauseTitle: site => `Auf ${site} pausieren?`,
    pauseText: 'Niemand sieht die Tour, bis Sie sie fortsetzen.',
    paused: site => `Tour auf ${site} pausiert.`,
    resume: 'Fortsetzen',
    resumeTitle: site => `Auf ${site} fortsetzen?`,
    resumeText: 'Dieselbe Veröffentlichung geht für dieselbe Zielgruppe wieder live.',
    resumed: site => `Tour auf ${site} fortgesetzt.`,
    end: 'Stoppen',
    endTitle: site => `Diese Tour auf ${site} stoppen?`,
    endRelease: 'Tour stoppen',
    ended: site => `Tour auf ${site} gestoppt.`,
    endText: 'Auf dieser Website sieht niemand die Tour, bis sie wieder veröffentlicht wird.',
  },
  sentence: {
    never: 'Diese Tour wurde noch nicht veröffentlicht.',
    inReview: draft => `Version ${draft} ist in Prüfung und wurde noch nicht veröffentlicht.`,
    writing: draft => `Version ${draft} ist ein Entwurf und wurde noch nicht veröffentlicht.`,
    unchanged: 'Der Entwurf hat seitdem keine Änderungen.',
    notLive: (last, newest) =>
      last === newest
        ? `Zurzeit nicht live. Zuletzt war Version ${last} live.`
        : `Zurzeit nicht live. Zuletzt war Version ${last} live, die neueste ist Version ${newest}.`,
    awaiting: 'Veröffentlicht. Sie startet, sobald Waypost auf einer Website der Veröffentlichung installiert ist.',
    upToDate: 'Die neueste Version ist live. Der Entwurf hat seitdem keine Änderungen.',
    older: newest => `Eine ältere Version ist live. Sie können Version ${newest} jederzeit erneut veröffentlichen.`,
    some: (newest, upToDate, all) =>
      `Version ${newest}, die neueste, ist auf ${upToDate} von ${all} Websites live. Die anderen haben eine ältere Version.`,
  },
};
