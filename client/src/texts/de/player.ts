import type { PlayerTexts } from '../player';

export const player: PlayerTexts = {
  next: 'Weiter',
  previous: 'Zurück',
  done: 'Fertig',
  close: 'Schließen',
  of: 'von',
  count: (at, all) => `${at} von ${all}`,
  preview: {
    demoPage: 'Demoseite',
    title: 'Vorschau',
    missing: step => `„${step}“ zeigt auf ein Element, das diese Seite nicht hat: in der Mitte gezeigt.`,
    end: 'Vorschau beenden',
  },
};
