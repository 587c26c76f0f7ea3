import type { DemoTexts } from '../en/demo';

export const demo: DemoTexts = {
  title: 'Demoseite · Waypost',
  controls: 'Steuerung der Demo',
  back: 'Zurück zu Waypost',
  tours: 'Touren für diesen Besucher',
  play: title => `„${title}“ starten`,
  newVisitor: 'Als neuer Besucher starten',
  heading: 'Demoseite',
  noKey: 'Demoseite. Öffnen Sie sie in Waypost unter „Websites“, um hier die Touren einer Website auszuprobieren.',
  loading: 'Demoseite. Touren werden geladen …',
  playing: 'Demoseite. Eine Tour läuft.',
  noTour:
    'Demoseite. Gerade gibt es keine Tour für diesen Besucher: Auf dieser Website ist keine live, sie wurde schon gezeigt, oder der Rollout schließt diesen Besucher nicht ein.',
  searchFor: (visitor, name) =>
    `Warum, erfahren Sie unter „Besucher“: Suchen Sie dort nach ${visitor}. Dieser Besuch heißt „${name}“.`,
  listedAs: name => `Unter „Besucher“ heißt dieser Besuch „${name}“.`,
  seeWhy: 'Grund anzeigen',
  idle: 'Demoseite.',
};
