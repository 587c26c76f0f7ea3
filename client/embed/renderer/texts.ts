const en = {
  next: 'Next',
  previous: 'Previous',
  done: 'Done',
  close: 'Close',
  gotIt: 'Got it',
  hotspot: (title: string) => `Tip: ${title}`,
  count: (at: number, of: number) => `${at} of ${of}`,
  announce: (at: number, of: number) => `Step ${at} of ${of}`,
  loading: 'Loading the next step…',
  waiting: 'Waiting for the page…',
  reach: 'Press F6 to go to the tour, and again to go back',
};

export type RendererTexts = typeof en;

const de: RendererTexts = {
  next: 'Weiter',
  previous: 'Zurück',
  done: 'Fertig',
  close: 'Schließen',
  gotIt: 'Verstanden',
  hotspot: title => `Tipp: ${title}`,
  count: (at, of) => `${at} von ${of}`,
  announce: (at, of) => `Schritt ${at} von ${of}`,
  loading: 'Der nächste Schritt wird geladen …',
  waiting: 'Warten auf die Seite …',
  reach: 'Drücken Sie F6, um zur Tour zu gelangen, und noch einmal, um zurückzukehren',
};

export const textsOf = (locale: string): RendererTexts => (/^de\b/i.test(locale) ? de : en);
