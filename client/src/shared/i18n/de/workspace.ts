import type { WorkspaceTexts } from '../en/workspace';

export const workspace: WorkspaceTexts = {
  list: {
    loading: 'Arbeitsbereiche werden geladen',
    title: 'Arbeitsbereiche',
    new: 'Neuer Arbeitsbereich',
    description: 'Ein Arbeitsbereich ist ein Team: seine Touren, seine Websites und seine Leute.',
    empty: 'Noch kein Arbeitsbereich',
    emptyText: account =>
      `Einen für das eigene Team anlegen, oder einen Administrator bitten, ${account ?? 'dieses Konto'} in seinen aufzunehmen.`,
  },
  create: {
    title: 'Neuer Arbeitsbereich',
    description: 'Wer ihn anlegt, wird sein erster Administrator.',
    addressHint: slug => `Seine Seiten liegen unter /w/${slug}`,
    submit: 'Arbeitsbereich anlegen',
  },
  settings: {
    title: 'Einstellungen',
    renamed: 'Der Arbeitsbereich hat seinen neuen Namen.',
    workspace: 'Arbeitsbereich',
    addressHint: 'Sie bleibt, wie sie ist, damit Links weiter funktionieren.',
    save: 'Namen speichern',
    about: 'Über Waypost',
    licence:
      'Waypost ist freie Software unter der AGPL-3.0: Sie darf benutzt, gelesen, geändert und weitergegeben werden.',
    version: 'Version',
    sourceCode: 'Quelltext',
    signIn: 'Anmeldung',
  },
  members: {
    title: 'Mitglieder',
    description:
      'Betrachter lesen, Autoren schreiben, Herausgeber veröffentlichen, Administratoren verwalten; jede Rolle umfasst die vorigen.',
    add: 'Mitglied hinzufügen',
    loading: 'Mitglieder werden geladen',
    you: 'selbst',
    since: when => `seit ${when}`,
    roleOf: name => `Rolle von ${name}`,
    hasRole: (name, role) => `${name} hat jetzt die Rolle ${role}.`,
    removeLabel: name => `${name} entfernen`,
    removeTitle: name => `${name} entfernen?`,
    leaveTitle: 'Den Arbeitsbereich verlassen?',
    leave: 'Verlassen',
    leaveLabel: 'Den Arbeitsbereich verlassen',
    remove: 'Mitglied entfernen',
    removed: name => `${name} ist nicht mehr Mitglied.`,
    leaveText:
      'Dieser Arbeitsbereich ist dann nicht mehr sichtbar. Was dort entstanden ist, bleibt; zurück geht es nur über einen Administrator.',
    removeText: name =>
      `${name} kann diesen Arbeitsbereich dann nicht mehr sehen. Was dort entstanden ist, bleibt; offene Einladungen dieser Person enden.`,
  },
  memberAdd: {
    title: 'Mitglied hinzufügen',
    description:
      'Wer sich hier schon einmal angemeldet hat, ist sofort Mitglied. Alle anderen bekommen eine Einladung.',
    promises: {
      VIEWER: 'Liest Touren und Auswertungen.',
      AUTHOR: 'Schreibt auch Touren und Designs.',
      PUBLISHER: 'Veröffentlicht auch Touren auf Websites.',
      ADMIN: 'Verwaltet auch Websites, Mitglieder und den Arbeitsbereich.',
    },
    added: name => `${name} ist jetzt Mitglied.`,
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    submit: 'Hinzufügen',
    invite: 'Einladungslink erzeugen',
  },
};
