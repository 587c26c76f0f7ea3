import type { SettingsTexts } from '../en/settings';

export const settings: SettingsTexts = {
  settings: {
    title: 'Einstellungen',
    renamed: 'Arbeitsbereich umbenannt.',
    workspace: 'Arbeitsbereich',
    addressHint: 'Kann nicht geändert werden, damit Links weiter funktionieren.',
    save: 'Namen speichern',
    about: 'Über Waypost',
    license: 'Waypost ist freie Software unter der AGPL-3.0. Sie dürfen es benutzen, lesen, ändern und weitergeben.',
    thirdParty: 'Code von Dritten',
    sourceCode: 'Quellcode',
    signIn: providers => `Anmeldung mit ${providers}`,
  },
  delete: {
    panel: 'Arbeitsbereich löschen',
    description: 'Für alle, mit allem, was darin ist.',
    open: 'Arbeitsbereich löschen',
    title: name => `${name} löschen?`,
    tours: 'Seine Touren beginnen auf keiner Seite mehr.',
    toursOn: sites => `Seine Touren beginnen ab sofort nicht mehr auf ${sites}.`,
    content: 'Alle Touren, Veröffentlichungen, Designs, Segmente, Websites, Besucher und Auswertungen werden gelöscht.',
    access: 'Alle Mitglieder verlieren den Zugang, und Zugriffstoken gelten nicht mehr.',
    audit: 'Auch das Protokoll wird gelöscht. Nur das Log des Servers hält fest, wer den Arbeitsbereich gelöscht hat.',
    exportFirst: 'Protokoll vorher exportieren',
    name: name => `Zur Bestätigung „${name}“ eingeben`,
    typeName: 'Geben Sie zuerst den Namen des Arbeitsbereichs ein.',
    irreversible: 'Das lässt sich nicht rückgängig machen.',
    action: 'Diesen Arbeitsbereich löschen',
    deleted: name => `„${name}“ gelöscht.`,
  },
};
