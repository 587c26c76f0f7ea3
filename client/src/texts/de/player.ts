import type { PlayerTexts } from '../player';

export const player: PlayerTexts = {
  next: 'Weiter',
  previous: 'Zurück',
  done: 'Fertig',
  close: 'Schließen',
  gotIt: 'Verstanden',
  hint: title => `Hinweis: ${title}`,
  of: 'von',
  count: (at, all) => `${at} von ${all}`,
  preview: {
    demoPage: 'Demoseite',
    title: 'Vorschau',
    waits: 'Es ist nichts zu sehen: die Tour wartet.',
    missing: step => `„${step}“ zeigt auf ein Element, das diese Seite nicht hat: in der Mitte gezeigt.`,
    end: 'Vorschau beenden',
  },
};
