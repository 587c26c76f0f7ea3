import type { ReleaseTexts } from '../en/release';
import { counted, formatCount } from '../format';

export const release: ReleaseTexts = {
  dialog: {
    title: revision => `Fassung ${revision} veröffentlichen`,
    titleAgain: revision => `Fassung ${revision} wieder veröffentlichen`,
    description: 'Sie wird eingefroren, wie sie ist, und läuft auf den gewählten Websites.',
    descriptionAgain: 'Der Entwurf ist derselbe wie diese Fassung. Sie läuft auf den gewählten Websites.',
    replaces: 'Wo diese Tour schon veröffentlicht ist, tritt die neue Veröffentlichung an die Stelle der alten.',
    playsNow: (tour, sites) => `„${tour}“ läuft jetzt auf ${sites}.`,
    sites: 'Websites',
    unseen: 'Von dieser Website hat noch keine Seite nach Touren gefragt. Veröffentlichen geht trotzdem.',
    own: 'Die eigenen Seiten von Waypost: Mitglieder der Arbeitsbereiche treffen hier auf sie.',
    likeBefore: 'Wie bisher: wo die Tour jetzt ist, und für dieselben Leute. Ändern, was anders sein soll.',
    chooseSite: 'Bitte mindestens eine Website wählen.',
    note: 'Notiz',
    noteHint: 'Was neu ist, für das eigene Team.',
    solveFirst: 'Erst die Probleme lösen.',
    submit: 'Veröffentlichen',
    solveThese: 'Vor dem Veröffentlichen zu lösen:',
    thinkAbout: 'Vor dem Veröffentlichen zu bedenken:',
    problems: 'Probleme',
  },
  page: {
    loading: 'Veröffentlichungen werden geladen',
    archived: 'Diese Tour ist archiviert. Zum Veröffentlichen erst wiederherstellen.',
    siteFirst: 'Erst eine Website hinzufügen.',
    title: 'Veröffentlichungen',
    noSite: 'Keine Website zum Veröffentlichen',
    toSites: 'Zu den Websites',
    noSiteText:
      'Eine Veröffentlichung lässt eine Tour auf einer Website laufen. Erst eine hinzufügen, dann hierher zurück.',
    live: 'Live',
    paused: 'Pausiert',
    scheduled: 'Geplant',
    firstPage: 'Läuft, sobald eine Seite mit dem Schlüssel dieser Website geöffnet wird',
    release: 'Veröffentlichen',
    plays: (revision, since, by, backTo) => (
      <>
        {revision} seit {since}, veröffentlicht von {by}
        {backTo === null ? '' : `, zurück zur Veröffentlichung vom ${backTo}`}.
      </>
    ),
    pausedBy: (when, who) => `Pausiert ${when} von ${who}.`,
    revision: number => `Fassung ${number}`,
    quoted: note => `„${note}“`,
    nothingNow: 'Diese Tour läuft hier im Moment nicht.',
    nothingYet: 'Diese Tour läuft hier noch nicht.',
    history: count => counted(count, { one: 'Verlauf: # Veröffentlichung', other: 'Verlauf: # Veröffentlichungen' }),
    releasesOn: site => `Veröffentlichungen auf ${site}`,
    rollback: '(zurückgegangen)',
    adjusted: '(für wen, wozu oder wann geändert)',
    by: (when, who) => `${when} von ${who}`,
    over: when => `Vorbei seit ${when}, wie geplant`,
    changed: { LIVE: 'Fortgesetzt', PAUSED: 'Pausiert', ENDED: 'Beendet' },
  },
  terms: {
    title: 'Anteil, Vergleichsgruppe, Ziel und Zeiten',
    everybody: 'für alle, ab sofort',
    rollout: 'Anteil',
    rolloutHint:
      'Wie viele der Leute auf der Website auf die Tour treffen können. Wird er später erhöht, fällt niemand heraus.',
    holdout: 'Vergleichsgruppe',
    holdoutHint: 'Wie viele nie auf sie treffen, damit die Auswertung vergleichen kann. Sie werden zuerst abgezogen.',
    atMost: percent => `Höchstens ${percent} %.`,
    spent: percent =>
      `Eine Ausspielung über ${percent} % ändert nichts, solange die übrigen zur Vergleichsgruppe gehören.`,
    ofHundred: ({ held, seen, waiting }) => {
      const parts = [
        counted(seen, { one: '# sieht sie', other: '# sehen sie' }),
        ...(held > 0
          ? [counted(held, { one: '# sieht sie nie (Vergleichsgruppe)', other: '# sehen sie nie (Vergleichsgruppe)' })]
          : []),
        ...(waiting > 0
          ? [
              counted(waiting, {
                one: '# wartet auf einen größeren Anteil',
                other: '# warten auf einen größeren Anteil',
              }),
            ]
          : []),
      ];
      return `Von 100 Leuten, für die sie gilt: ${parts.join(', ')}.`;
    },
    goal: 'Ziel',
    goalHint:
      'Wozu die Tour führt, etwa eine Bestellung oder eine eingeladene Kollegin: der Name eines Ereignisses. Die Auswertung vergleicht, wie viele dahin kommen. Eine Zeile in der Seite sagt, dass es geschehen ist:',
    goalBegins: 'Mit diesem Ereignis beginnt die Tour: Wer sie trifft, war vorher schon am Ziel.',
    goalMissing: 'Ohne ein Ziel gibt es mit der Vergleichsgruppe nichts zu vergleichen.',
    startsAt: 'Beginnt',
    startsAtHint: 'In der Zeitzone dieses Geräts. Leer: sofort.',
    endsAt: 'Endet',
    endsAtHint: 'Leer: wenn jemand sie beendet.',
    endFirst: 'Sie wäre vorbei, bevor sie beginnt. Bitte ein späteres Ende wählen.',
    endActiveRuns: 'Wer mittendrin ist, fängt neu an',
    endActiveRunsHint: 'Sonst geht es für sie dort weiter, wo sie sind.',
    for: share => `für ${share} der Leute`,
    heldOut: share => `${share} als Vergleichsgruppe`,
    leadsTo: event => `führt zu „${event}“`,
    from: when => `ab ${when}`,
    until: when => `bis ${when}`,
  },
  impact: {
    title: 'Was sich für wen ändert',
    loading: 'Leute werden gezählt',
    part: 'Sie',
    before: 'Jetzt',
    after: 'Dann',
    nothingNow: 'Diese Tour läuft dort jetzt nicht.',
    pausedNow: revision => `Fassung ${revision} ist dort jetzt pausiert.`,
    waitsNow: (revision, when) => `Fassung ${revision} ist dort und wartet auf ${when}.`,
    playsNow: revision => `Fassung ${revision} läuft dort jetzt.`,
    pausedThen: 'Es läuft nichts, bis die Veröffentlichung fortgesetzt wird.',
    endedThen: 'Es läuft nichts mehr.',
    scheduledThen: (revision, when) => `Es läuft nichts bis ${when}; dann Fassung ${revision}.`,
    playsThen: revision => `Fassung ${revision} wird laufen.`,
    playsOn: 'Sie läuft weiter.',
    nobodyInside: 'Im Moment ist niemand in der Tour.',
    inside: count =>
      counted(count, { one: '# Person ist jetzt in der Tour:', other: '# Leute sind jetzt in der Tour:' }),
    insidePaused: 'Sie finden sie nach der Pause wieder, wenn das binnen 24 Stunden nach ihrem letzten Schritt ist.',
    insideEnded: 'Ihre Durchläufe enden. Offene Seiten spielen noch zu Ende.',
    insideLeft: 'Offene Seiten spielen noch zu Ende; anderswo geht die Tour nicht weiter.',
    insideAgain: 'Ihre Durchläufe enden, und sie fangen neu an.',
    goOn: ways => `${ways}.`,
    stay: count =>
      counted(count, {
        one: '# macht bei dem Schritt weiter, bei dem sie ist',
        other: '# machen bei dem Schritt weiter, bei dem sie sind',
      }),
    move: count =>
      counted(count, {
        one: '# macht beim ersten ungesehenen Schritt weiter, weil es ihren nicht mehr gibt',
        other: '# machen beim ersten ungesehenen Schritt weiter, weil es ihren nicht mehr gibt',
      }),
    finish: count =>
      counted(count, {
        one: '# hat alles gesehen und kommt zum letzten Schritt',
        other: '# haben alles gesehen und kommen zum letzten Schritt',
      }),
    sameContent: 'Die Schritte sind dieselben.',
    added: (count, steps) => `${counted(count, { one: '# Schritt ist neu', other: '# Schritte sind neu' })}: ${steps}.`,
    removed: (count, steps) =>
      `${counted(count, { one: '# Schritt ist weg', other: '# Schritte sind weg' })}: ${steps}.`,
    changed: (count, steps) =>
      `${counted(count, { one: '# Schritt ist anders', other: '# Schritte sind anders' })}: ${steps}.`,
    reordered: 'Die Schritte kommen in anderer Reihenfolge.',
    otherStart: changes => `Sie startet nach einer anderen Regel: ${changes}.`,
    startField: (name, before, after) => `${name} „${after}“ statt „${before}“`,
    otherTheme: 'Sie hat ein anderes Design.',
    nobodySeen: 'In den letzten 30 Tagen wurde auf dieser Website niemand gesehen.',
    people: count =>
      count >= 10_000
        ? `Von den ${formatCount(count)} Leuten, die hier zuletzt gesehen wurden`
        : counted(count, {
            one: 'Von der einen Person, die hier in den letzten 30 Tagen gesehen wurde',
            other: 'Von den # Leuten, die hier in den letzten 30 Tagen gesehen wurden',
          }),
    parts: {
      inside: 'sind mittendrin und machen weiter',
      reached: 'können die Tour beginnen',
      quiet: 'warten das Ende der Ruhezeit nach einer anderen Tour ab',
      waiting: 'warten auf einen größeren Anteil',
      held: 'gehören zur Vergleichsgruppe und treffen nie auf sie',
      seen: 'sind ihr so oft begegnet, wie ihre Regel sagt',
      nothing: 'treffen auf nichts, weil nichts läuft',
    },
  },
  actions: {
    noEarlier: revision =>
      `Fassung ${revision} wurde auf dieser Website als erste veröffentlicht: Davor gibt es nichts, zu dem es zurückginge.`,
    rollBack: 'Zurückgehen',
    rollBackTitle: site => `Auf ${site} zurückgehen?`,
    playsAgain: (revision, site) => `Fassung ${revision} läuft wieder auf ${site}.`,
    rollBackText: (previous, when, now) =>
      `Fassung ${previous}, veröffentlicht ${when}, läuft wieder statt Fassung ${now}. Der Entwurf bleibt, wie er ist.`,
    noteHint: 'Warum, für das eigene Team.',
    adjust: 'Ändern',
    adjustTitle: site => `Anteil, Vergleichsgruppe, Ziel und Zeiten auf ${site}`,
    adjustText: revision => `Fassung ${revision} läuft weiter. Wer mittendrin ist, macht weiter.`,
    adjustSubmit: 'Ändern',
    adjusted: site => `Die Veröffentlichung auf ${site} ist geändert.`,
    pause: 'Pausieren',
    pauseTitle: site => `Auf ${site} pausieren?`,
    pauseText: 'Niemand beginnt die Tour und niemand macht mit ihr weiter, bis jemand sie fortsetzt.',
    paused: site => `Die Tour ist auf ${site} pausiert.`,
    resume: 'Fortsetzen',
    resumeTitle: site => `Auf ${site} fortsetzen?`,
    resumeText: 'Dieselbe Veröffentlichung läuft wieder, für dieselben Leute.',
    resumed: site => `Die Tour läuft wieder auf ${site}.`,
    end: 'Beenden',
    endTitle: site => `Auf ${site} nicht mehr abspielen?`,
    endRelease: 'Veröffentlichung beenden',
    ended: site => `Die Tour läuft nicht mehr auf ${site}.`,
    endText: 'Auf dieser Website trifft niemand mehr auf die Tour, bis sie wieder veröffentlicht wird.',
  },
  sentence: {
    never: 'Diese Tour ist noch nicht veröffentlicht.',
    inReview: draft => `Fassung ${draft} wird geprüft und ist nicht veröffentlicht.`,
    writing: draft => `Fassung ${draft} wird geschrieben und ist nicht veröffentlicht.`,
    unchanged: 'Der Entwurf hat seitdem keine Änderungen.',
    nothingPlays: newest => `Im Moment läuft nichts; Fassung ${newest} war die neueste Veröffentlichung.`,
    upToDate: 'Die neueste Fassung ist veröffentlicht; seitdem hat sich nichts geändert.',
    older: newest =>
      `Eine ältere Fassung läuft; die neueste veröffentlichte ist Fassung ${newest} und lässt sich erneut veröffentlichen.`,
    some: (newest, upToDate, all) =>
      `Fassung ${newest}, die neueste, läuft auf ${upToDate} von ${all} Websites; auf den anderen eine ältere.`,
  },
};
