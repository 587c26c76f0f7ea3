import type { TemplatesTexts } from '../en/templates';

export const templates: TemplatesTexts = {
  empty: { name: 'Leer', description: 'Ganz von vorn anfangen.' },
  welcome: { name: 'Willkommen', description: 'Begrüßt neue Besucher einmal und führt sie herum.' },
  welcomeSteps: [
    { title: 'Willkommen', body: '**Schön, dass Sie da sind.** Drei kurze Tipps, damit Sie sich zurechtfinden.' },
    { title: 'Hier anfangen', body: 'Beschreiben, was die meisten zuerst tun und was sie davon haben.' },
    { title: 'Alles finden', body: 'Auf die Suche oder das Menü hinweisen, damit alle wissen, wo es weitergeht.' },
    {
      title: 'Das war’s',
      body: 'Sagen, wo es Hilfe gibt, zum Beispiel:\n\n- in der [Anleitung](https://example.com/guide)\n- beim Support hinter dem `?`',
      doneLabel: 'Los geht’s',
    },
  ],
  feature: { name: 'Neue Funktion', description: 'Kündigt Neues an, bis Besucher die Tour abgeschlossen haben.' },
  featureSteps: [
    { title: 'Neu: Name der Funktion', body: 'In einem Satz: was **jetzt möglich ist**, das vorher nicht ging.' },
    { title: 'Ausprobieren', body: 'Auf das hinweisen, was zuerst angeklickt wird.', doneLabel: 'Verstanden' },
  ],
  task: {
    name: 'Aufgabe Schritt für Schritt',
    description: 'Startet, wenn Ihr Code sie startet, zum Beispiel aus einem Hilfemenü.',
  },
  taskSteps: [
    { title: 'So geht …', body: 'Was dafür nötig ist:\n\n1. erster Punkt\n2. zweiter Punkt' },
    { title: 'Zuerst', body: 'Auf das hinweisen, was angeklickt wird, und sagen, was dann passiert.' },
    { title: 'Dann', body: 'Ein Schritt der Tour für jeden Schritt der Aufgabe.' },
    { title: 'Fertig', body: 'Auf das Ergebnis hinweisen.' },
  ],
  hotspots: { name: 'Hotspots', description: 'Leuchtpunkte auf der Seite, die Besucher bei Interesse öffnen.' },
  hotspotSteps: [
    { title: 'Wozu das dient', body: 'In einem Satz beschreiben, was es bringt.' },
    { title: 'Gut zu wissen', body: 'Etwas erwähnen, das leicht übersehen wird.' },
  ],
  handsOn: {
    name: 'Beispiel: Bestellung zum Mitmachen',
    description:
      'Besucher probieren es auf der Demoseite selbst aus. Zeigt Klicks, Seiten, Ereignisse und Abzweigungen.',
  },
  handsOnChoices: { order: 'Etwas bestellen', look: 'Umsehen' },
  handsOnSteps: [
    { title: 'Was führt Sie her?', body: 'Wählen Sie eines aus. Das andere bleibt erreichbar.' },
    { title: 'Warenkorb öffnen', body: 'Klicken Sie auf **Warenkorb**, um Ihre Artikel zu sehen.' },
    { title: 'Bestellen', body: 'Das ist eine Demo. Hier wird nichts wirklich verkauft.' },
    { title: 'Bis die Bestellung bestätigt ist', body: '' },
    { title: 'Geschafft', body: 'Ihre Bestellung ist unterwegs.' },
    { title: 'Alles finden', body: 'Geben Sie ein, was Sie suchen, zum Beispiel `lampe`.' },
    { title: 'Fragen?', body: 'Wir antworten innerhalb eines Tages.' },
  ],
  example: {
    name: 'Beispiel: der Demoshop',
    description: 'Eine fertige Tour der Demoseite. Klicken Sie auf „Vorschau“ und ändern Sie dann, was Sie möchten.',
  },
  exampleSteps: [
    {
      title: 'Willkommen bei Nordhaus',
      body: 'Entdecken Sie **Möbel, die bleiben**. Lust auf einen kurzen Rundgang?',
      nextLabel: 'Gern',
    },
    { title: 'Alles finden', body: 'Geben Sie ein, was Sie suchen, zum Beispiel `lampe`.' },
    { title: 'Ihr Warenkorb', body: 'Ihre Artikel bleiben hier, *auch morgen noch*.' },
    { title: 'Ihre Bestellungen', body: 'Hier sehen Sie:\n\n- wo jede Bestellung ist\n- was Sie bestellt haben' },
    { title: 'Fragen?', body: 'Wir antworten innerhalb eines Tages.', doneLabel: 'Einkaufen' },
  ],
};
