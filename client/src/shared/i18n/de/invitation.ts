import type { InvitationTexts } from '../en/invitation';

export const invitation: InvitationTexts = {
  link: {
    title: 'Diesen Link weitergeben',
    description: email => `Waypost verschickt keine E-Mails. Bitte den Link kopieren und selbst an ${email} senden.`,
    label: 'Link',
    hint: when =>
      `Er wird nur dieses eine Mal gezeigt, gilt einmal, bis ${when}, und nur für jemanden, der sich mit dieser Adresse anmeldet.`,
    copy: 'Link kopieren',
    done: 'Fertig',
  },
  list: {
    title: 'Einladungen',
    description:
      'Ein Link lässt jemanden herein, der sich hier noch nie angemeldet hat. Er endet mit der Rolle des Administrators, von dem er kommt.',
    loading: 'Einladungen werden geladen',
    empty: 'Zurzeit ist niemand eingeladen.',
    invitedBy: (name, role) => `als ${role}, von ${name}`,
    until: when => `bis ${when}`,
    expired: 'abgelaufen',
    renew: 'Neuer Link',
    of: email => `für ${email}`,
    revokeLabel: email => `Einladung von ${email} zurückziehen`,
    revokeTitle: email => `Die Einladung von ${email} zurückziehen?`,
    revokeText: 'Ihr Link gilt dann nicht mehr.',
    revoke: 'Zurückziehen',
    revoked: email => `Die Einladung von ${email} ist zurückgezogen.`,
  },
  page: {
    title: 'Eine Einladung',
    loading: 'Einladung wird gelesen',
    signIn:
      'Bitte mit dem Konto anmelden, das die eingeladene Adresse hat. Dann steht hier, wohin die Einladung führt.',
    offer: (person, workspace, role) => `${person} lädt in den Arbeitsbereich „${workspace}“ ein, als ${role}.`,
    until: when => `Die Einladung gilt bis ${when}.`,
    accept: workspace => `${workspace} beitreten`,
    accepted: workspace => `„${workspace}“ steht jetzt offen.`,
    later: 'Nicht jetzt',
    memberTitle: 'Schon Mitglied',
    member: workspace => `Dieses Konto ist schon in „${workspace}“. Es gibt nichts anzunehmen.`,
    open: 'Arbeitsbereich öffnen',
    failedTitle: 'Diese Einladung lässt sich nicht annehmen',
    signedInAs: account => `Angemeldet als ${account}.`,
    otherAccount: 'Mit einem anderen Konto anmelden',
    workspaces: 'Zu den Arbeitsbereichen',
    noneTitle: 'Hier ist keine Einladung',
    none: 'Bitte den ganzen Link öffnen, so wie er gesendet wurde: Sein letzter Teil fehlt.',
  },
};
