import type { AccessTokenTexts } from '../en/access-token';

export const accessToken: AccessTokenTexts = {
  list: {
    title: 'Zugriffstoken',
    description:
      'Für Programme wie einen CI-Job, der den Befehl waypost ausführt. Änderungen erscheinen unter dem Namen des Tokens.',
    add: 'Neues Zugriffstoken',
    loading: 'Zugriffstoken werden geladen',
    empty: 'Keine Zugriffstoken.',
    created: (role, by) => `erstellt von ${by} mit der Rolle „${role}“`,
    until: when => `gültig bis ${when}`,
    expired: 'abgelaufen',
    lastUsed: when => `zuletzt verwendet ${when}`,
    neverUsed: 'noch nicht verwendet',
    revoke: 'Widerrufen',
    revokeLabel: name => `Zugriffstoken ${name} widerrufen`,
    revokeTitle: name => `Zugriffstoken ${name} widerrufen?`,
    revokeText: 'Programme, die es verwenden, können Waypost dann nicht mehr aufrufen.',
    revoked: name => `Zugriffstoken ${name} widerrufen.`,
  },
  create: {
    title: 'Neues Zugriffstoken',
    description: 'Ein Programm mit diesem Token handelt als Mitglied dieses Arbeitsbereichs.',
    name: 'Name',
    nameHint: 'Erscheint im Protokoll, zum Beispiel „CI des Webshops“.',
    role: 'Rolle',
    days: 'Gültig für (Tage)',
    submit: 'Zugriffstoken erstellen',
  },
  secret: {
    title: 'Dieses Zugriffstoken kopieren',
    description: name => `Speichern Sie „${name}“ als Geheimnis des Programms, das es verwendet.`,
    label: 'Zugriffstoken',
    hint: when => `Es wird nicht noch einmal angezeigt. Es ist gültig bis ${when}.`,
    copy: 'Zugriffstoken kopieren',
    use: 'Der Befehl waypost liest es aus der Umgebungsvariablen WAYPOST_TOKEN.',
    done: 'Fertig',
  },
};
