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
};

export const textsOf = (locale: string): RendererTexts => (/^de\b/i.test(locale) ? de : en);
