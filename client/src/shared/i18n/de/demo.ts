import type { DemoTexts } from '../en/demo';

export const demo: DemoTexts = {
  title: 'Demoseite · Waypost',
  controls: 'Steuerung der Demo',
  tours: 'Touren für diesen Besucher',
  play: title => `„${title}“ abspielen`,
  newVisitor: 'Als neuer Besucher kommen',
  heading: 'Demoseite',
  noKey: 'Demoseite. In Waypost unter „Websites“ öffnen, um hier die Touren einer Website abzuspielen.',
  asking: 'Demoseite. Fragt nach Touren …',
  playing: 'Demoseite. Eine Tour läuft.',
  none: 'Demoseite. Für diesen Besucher gibt es jetzt keine Tour. Vielleicht ist hier keine veröffentlicht, er hat sie schon gesehen, oder Vergleichsgruppe oder Anteil nehmen ihn aus.',
  lookFor: (visitor, name) => `Warum, steht unter Personen: Die Suche nach ${visitor} findet dort „${name}“.`,
  youAre: name => `Unter Personen heißt dieser Besuch „${name}“.`,
  seeWhy: 'Nachsehen, warum nicht',
  idle: 'Demoseite.',
};
