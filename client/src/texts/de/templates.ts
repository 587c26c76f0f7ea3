import type { TemplatesTexts } from '../templates';

export const templates: TemplatesTexts = {
  empty: { name: 'Leer', description: 'Ganz eigen, vom ersten Schritt an.' },
  welcome: { name: 'Willkommen', description: 'Begrüßt neue Leute einmal und zeigt ihnen, wo was ist.' },
  welcomeSteps: [
    { title: 'Willkommen', body: '**Schön, dass du da bist.** Drei Dinge, und du findest dich zurecht.' },
    { title: 'Hier anfangen', body: 'Sagen, was die meisten zuerst tun und was sie davon haben.' },
    { title: 'Alles finden', body: 'Auf die Suche oder das Menü zeigen: der Ausweg, wenn jemand nicht weiterweiß.' },
    {
      title: 'Das war’s',
      body: 'Sagen, wo es Hilfe gibt, zum Beispiel:\n\n- in der [Anleitung](https://example.com/guide)\n- bei den Leuten hinter dem `?`',
      doneLabel: 'Los',
    },
  ],
  feature: { name: 'Neue Funktion', description: 'Kündigt an, was neu ist, bis jemand es zu Ende gesehen hat.' },
  featureSteps: [
    { title: 'Neu: sagen, was es ist', body: 'In einem Satz: was **jetzt geht**, das vorher nicht ging.' },
    { title: 'Ausprobieren', body: 'Auf das zeigen, was als Erstes zu drücken ist.', doneLabel: 'Verstanden' },
  ],
  task: {
    name: 'Eine Aufgabe, Schritt für Schritt',
    description: 'Startet, wenn die Seite danach fragt, zum Beispiel aus einem Hilfemenü.',
  },
  taskSteps: [
    { title: 'So geht …', body: 'Was dafür nötig ist:\n\n1. das eine\n2. das andere' },
    { title: 'Zuerst', body: 'Auf das zeigen, was zu drücken ist, und sagen, was dann geschieht.' },
    { title: 'Dann', body: 'Ein Schritt der Aufgabe für jeden Schritt der Tour.' },
    { title: 'Fertig', body: 'Auf das Ergebnis zeigen.' },
  ],
  hints: { name: 'Hinweise', description: 'Leuchtpunkte auf der Seite, zum Drücken für alle, die es wissen wollen.' },
  hintSteps: [
    { title: 'Wozu es da ist', body: 'In einem Satz sagen, was es bringt.' },
    { title: 'Gut zu wissen', body: 'Etwas, das leicht übersehen wird.' },
  ],
  handsOn: {
    name: 'Beispiel: eine Bestellung zum Mitmachen',
    description: 'Auf der Demoseite selbst ausprobieren: wartet auf Klicks, Seiten und Ereignisse und fragt, wohin es geht.',
  },
  handsOnChoices: { order: 'Etwas bestellen', look: 'Umsehen' },
  handsOnSteps: [
    { title: 'Was führt dich her?', body: 'Eines wählen; das andere ist einen Klick entfernt.' },
    { title: 'Den Warenkorb öffnen', body: 'Auf **Warenkorb** drücken: Dort liegt, was ausgewählt ist.' },
    { title: 'Bestellen', body: 'Hier wird nichts wirklich verkauft.' },
    { title: 'Bis die Bestellung bestätigt ist', body: '' },
    { title: 'Das war’s', body: 'Die Bestellung ist unterwegs.' },
    { title: 'Alles finden', body: 'Eintippen, was gesucht wird, zum Beispiel `lampe`.' },
    { title: 'Fragen?', body: 'Antwort kommt innerhalb eines Tages.' },
  ],
  example: {
    name: 'Beispiel: der Demoladen',
    description: 'Eine fertige Tour der Demoseite. Erst „Vorschau“ drücken, dann nach Belieben ändern.',
  },
  exampleSteps: [
    {
      title: 'Willkommen bei Nordhaus',
      body: 'Hier gibt es **Möbel, die bleiben**. Ein kurzer Rundgang?',
      nextLabel: 'Gern',
    },
    { title: 'Alles finden', body: 'Eintippen, was gesucht wird, zum Beispiel `lampe`.' },
    { title: 'Der Warenkorb', body: 'Was ausgewählt ist, wartet hier, *auch morgen noch*.' },
    { title: 'Die Bestellungen', body: 'Hier steht:\n\n- wo jede Bestellung ist\n- was es war' },
    { title: 'Fragen?', body: 'Antwort kommt innerhalb eines Tages.', doneLabel: 'Einkaufen' },
  ],
};
