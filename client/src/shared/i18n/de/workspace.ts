import type { WorkspaceTexts } from '../en/workspace';

export const workspace: WorkspaceTexts = {
  list: {
    restricted: 'Hier können nur Mitglieder mit der Rolle „Administration“ Arbeitsbereiche anlegen.',
    loading: 'Arbeitsbereiche werden geladen',
    title: 'Arbeitsbereiche',
    new: 'Neuer Arbeitsbereich',
    description: 'Ein Arbeitsbereich enthält die Touren, Websites und Mitglieder eines Teams.',
    empty: 'Noch keine Arbeitsbereiche',
    emptyText: account =>
      `Legen Sie einen für Ihr Team an, oder bitten Sie die Administration eines Arbeitsbereichs, ${account ?? 'Sie'} einzuladen.`,
  },
  create: {
    title: 'Neuer Arbeitsbereich',
    description: 'Sie bekommen darin die Rolle „Administration“.',
    addressHint: slug => `Ihr Arbeitsbereich liegt dann unter /w/${slug}`,
    submit: 'Arbeitsbereich anlegen',
  },
  sample: {
    notice: 'Dieser Arbeitsbereich enthält Beispieldaten.',
    remove: 'Beispiel entfernen',
    removed: name => `„${name}“ entfernt.`,
    title: name => `${name} entfernen?`,
    text: 'Der Arbeitsbereich wird mit allen Touren, Websites, Besuchern, Auswertungen und dem Protokoll für alle gelöscht. Das lässt sich nicht rückgängig machen.',
  },
  members: {
    title: 'Mitglieder',
    description:
      'Lesezugriff erlaubt zu lesen, Redaktion zu schreiben, Freigabe zu veröffentlichen und Administration zu verwalten. Jede Rolle umfasst die vorherigen.',
    add: 'Einladen',
    loading: 'Mitglieder werden geladen',
    you: 'Sie',
    since: when => `seit ${when}`,
    roleOf: name => `Rolle von ${name}`,
    roleChanged: (name, role) => `Rolle von ${name} zu „${role}“ geändert.`,
    removeLabel: name => `${name} entfernen`,
    removeTitle: name => `${name} entfernen?`,
    leaveTitle: 'Arbeitsbereich verlassen?',
    leave: 'Verlassen',
    leaveLabel: 'Arbeitsbereich verlassen',
    remove: 'Mitglied entfernen',
    removed: name => `${name} ist nicht mehr Mitglied.`,
    leaveText:
      'Sie verlieren den Zugriff auf diesen Arbeitsbereich. Ihre Arbeit bleibt erhalten, Ihre offenen Einladungen und Zugriffstokens werden zurückgezogen. Für die Rückkehr brauchen Sie die Administration.',
    removeText: name =>
      `${name} verliert den Zugriff auf diesen Arbeitsbereich. Die geleistete Arbeit bleibt erhalten, offene Einladungen und Zugriffstokens dieser Person werden zurückgezogen.`,
  },
};
