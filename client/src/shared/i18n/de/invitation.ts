import type { InvitationTexts } from '../en/invitation';

export const invitation: InvitationTexts = {
  link: {
    title: 'Diesen Link teilen',
    description: email => `Waypost verschickt keine E-Mails. Kopieren Sie den Link, und senden Sie ihn an ${email}.`,
    label: 'Link',
    hint: when =>
      `Der Link wird nicht noch einmal angezeigt. Er gilt einmal, bis ${when}, und nur für eine Anmeldung mit dieser Adresse.`,
    copy: 'Link kopieren',
    done: 'Fertig',
  },
  create: {
    title: 'Person einladen',
    description:
      'Sie bekommen einen Link zum Weitergeben. Er gilt für eine Anmeldung mit dieser Adresse, mit einem neuen oder einem vorhandenen Konto.',
    promises: {
      VIEWER: 'Kann Touren und Auswertungen ansehen.',
      AUTHOR: 'Kann auch Touren schreiben und Designs gestalten.',
      PUBLISHER: 'Kann auch Touren auf Websites veröffentlichen.',
      ADMIN: 'Kann auch Websites, Mitglieder und den Arbeitsbereich verwalten.',
    },
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    submit: 'Einladungslink erstellen',
  },
  list: {
    title: 'Einladungen',
    description:
      'Links, die noch niemand benutzt hat. Ein Link wird ungültig, wenn die Person, die ihn erstellt hat, die Rolle „Administration“ verliert.',
    loading: 'Einladungen werden geladen',
    empty: 'Keine offenen Einladungen.',
    invitedBy: (name, role) => `Rolle ${role}, von ${name}`,
    until: when => `bis ${when}`,
    expired: 'abgelaufen',
    renew: 'Neuer Link',
    of: email => `für ${email}`,
    revokeLabel: email => `Einladung für ${email} zurückziehen`,
    revokeTitle: email => `Einladung für ${email} zurückziehen?`,
    revokeText: 'Der Link funktioniert dann nicht mehr.',
    revoke: 'Zurückziehen',
    revoked: email => `Einladung für ${email} zurückgezogen.`,
  },
  page: {
    title: 'Sie sind eingeladen',
    loading: 'Einladung wird geladen',
    signIn: 'Melden Sie sich mit dem Konto an, das die eingeladene E-Mail-Adresse hat, um die Einladung zu sehen.',
    offer: (person, workspace, role) =>
      `${person} hat Sie in den Arbeitsbereich „${workspace}“ eingeladen, mit der Rolle „${role}“.`,
    until: when => `Sie können die Einladung bis ${when} annehmen.`,
    accept: workspace => `${workspace} beitreten`,
    accepted: workspace => `Sie sind „${workspace}“ beigetreten.`,
    later: 'Jetzt nicht',
    memberTitle: 'Sie sind bereits Mitglied',
    member: workspace => `Sie sind bereits Mitglied von „${workspace}“. Es gibt nichts anzunehmen.`,
    open: 'Arbeitsbereich öffnen',
    failedTitle: 'Diese Einladung kann nicht angenommen werden',
    signedInAs: account => `Sie sind als ${account} angemeldet.`,
    otherAccount: 'Anderes Konto verwenden',
    workspaces: 'Zu Ihren Arbeitsbereichen',
    noneTitle: 'Keine Einladung gefunden',
    none: 'Öffnen Sie den vollständigen Link, den Sie erhalten haben. Sein letzter Teil fehlt.',
  },
};
