import type { AuditTexts } from '../audit';

export const audit: AuditTexts = {
  title: 'Protokoll',
  description: 'Wer was wann getan hat. Jeder Eintrag entsteht mit der Änderung selbst und bleibt.',
  forAdministrators: 'Für Administratoren',
  loading: 'Protokoll wird geladen',
  empty: 'Noch ist nichts geschehen',
  emptyText: 'Jede Änderung an diesem Arbeitsbereich erscheint hier.',
  entries: 'Einträge des Protokolls, neueste zuerst',
  changes: 'Änderungen',
  quoted: subject => `„${subject}“`,
  nouns: { comment: 'einen Kommentar', invitation: 'die Einladung', member: 'das Mitglied', participant: 'die Person', release: 'die Veröffentlichung', revision: 'die Fassung', site: 'die Website', theme: 'das Design', tour: 'die Tour', workspace: 'den Arbeitsbereich' },
  verbs: { accept: noun => `hat ${noun} angenommen:`, adjust: noun => `hat geändert, für wen, wozu oder wann ${noun} gilt:`, add: noun => `hat ${noun} hinzugefügt:`, archive: noun => `hat ${noun} archiviert:`, create: noun => `hat ${noun} angelegt:`, default: noun => `hat ${noun} zum Standard gemacht:`, delete: noun => `hat ${noun} gelöscht:`, duplicate: noun => `hat ${noun} kopiert:`, end: noun => `hat ${noun} beendet:`, erase: noun => `hat ${noun} gelöscht:`, leave: noun => `ist gegangen, als ${noun}:`, pause: noun => `hat ${noun} pausiert:`, release: noun => `hat ${noun} veröffentlicht:`, remove: noun => `hat ${noun} entfernt:`, rename: noun => `hat ${noun} umbenannt:`, renew: noun => `hat einen neuen Link gemacht für ${noun}:`, reset: noun => `hat ${noun} zurückgesetzt:`, restore: noun => `hat ${noun} wiederhergestellt:`, resume: noun => `hat ${noun} fortgesetzt:`, return: noun => `hat ${noun} zurückgegeben:`, review: noun => `hat geändert, ob Prüfungen nötig sind, für ${noun}:`, revoke: noun => `hat ${noun} zurückgezogen:`, role: noun => `hat die Rolle geändert für ${noun}:`, rollback: noun => `hat ${noun} zurückgenommen:`, rotate: noun => `hat den Schlüssel ersetzt für ${noun}:`, submit: noun => `hat um eine Prüfung gebeten für ${noun}:`, tester: noun => `hat geändert, wer mit ihr testet, für ${noun}:`, update: noun => `hat ${noun} geändert:` },
};
