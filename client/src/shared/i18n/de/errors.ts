import { errorCatalogue, isErrorCode, type ErrorCode, type Slots } from '../../../generated/errors';
import type { ErrorsTexts } from '../en/errors';
import { problem } from './violations';

/** The words in slots of error messages. Values of newer servers stay in English. */
const words: Readonly<Record<string, string>> = {
  viewer: '„Lesezugriff“',
  author: '„Redaktion“',
  publisher: '„Freigabe“',
  admin: '„Administration“',
  administrator: '„Administration“',
  account: 'Konto',
  member: 'Mitglied',
  members: 'Mitglieder',
  release: 'Veröffentlichung',
  releases: 'Veröffentlichungen',
  revision: 'Version',
  run: 'Durchlauf',
  segment: 'Segment',
  segments: 'Segmente',
  site: 'Website',
  sites: 'Websites',
  step: 'Schritt',
  steps: 'Schritte',
  theme: 'Design',
  themes: 'Designs',
  tour: 'Tour',
  tours: 'Touren',
  visitor: 'Besucher',
  workspace: 'Arbeitsbereich',
  workspaces: 'Arbeitsbereiche',
  archived: 'archiviert',
  draft: 'Entwurf',
  ended: 'gestoppt',
  frozen: 'eingefroren',
  'in review': 'in Prüfung',
  live: 'live',
  page: 'die Seite',
  element: 'das Element',
  event: 'das Ereignis',
  comment: 'Kommentar',
  invitation: 'Einladung',
  'open invitations': 'offene Einladungen',
  pending: 'offen',
  accepted: 'angenommen',
  revoked: 'zurückgezogen',
  expired: 'abgelaufen',
};

const word = (text: string): string =>
  (Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : null) ?? text;

const sentences: { readonly [Code in ErrorCode]: (slots: Slots<Code>) => string } = {
  UNAUTHENTICATED: () => 'Melden Sie sich an, um fortzufahren.',
  STEP_UP_REQUIRED: () =>
    'Dafür ist eine aktuelle oder eine sicherere Anmeldung nötig. Melden Sie sich erneut an, um fortzufahren. Wenn Sie das gerade getan haben, bitten Sie die Administration, „waypost doctor oidc --sign-in“ auszuführen.',
  FORBIDDEN: ({ role }) =>
    `Dafür ist die Rolle ${word(role)} nötig. Bitten Sie die Administration des Arbeitsbereichs darum.`,
  NOT_FOUND: ({ thing }) =>
    `Nicht gefunden: ${word(thing)}. Prüfen Sie den Link, oder bitten Sie die Administration des Arbeitsbereichs um Zugriff.`,
  INVALID_INPUT: slots => `${slots.field}: ${slots.problem}.`,
  VERSION_CONFLICT: ({ person }) =>
    `${person} hat eine neuere Version gespeichert. Sehen Sie sich die Unterschiede an, und speichern Sie noch einmal.`,
  SLUG_TAKEN: ({ slug }) => `Eine andere Tour dieses Arbeitsbereichs hat den Slug „${slug}“. Wählen Sie einen anderen.`,
  WORKSPACE_SLUG_TAKEN: ({ slug }) => `Ein anderer Arbeitsbereich hat den Slug „${slug}“. Wählen Sie einen anderen.`,
  WORKSPACE_NAME_DIFFERS: ({ name }) =>
    `Dieser Arbeitsbereich heißt „${name}“. Geben Sie genau diesen Namen ein, um ihn zu löschen.`,
  WORKSPACE_CREATION_RESTRICTED: () =>
    'In dieser Installation können nur Mitglieder mit der Rolle „Administration“ Arbeitsbereiche anlegen. Bitten Sie eines davon.',
  LIMIT_REACHED: ({ limit, things }) =>
    `Das Limit dieses Arbeitsbereichs ist erreicht: ${limit} ${word(things)}. Entfernen Sie etwas, bevor Sie mehr hinzufügen.`,
  ILLEGAL_TRANSITION: ({ thing, from, to }) =>
    `${word(thing)}: Der Status kann nicht von „${word(from)}“ zu „${word(to)}“ wechseln.`,
  HAS_BLOCKERS: ({ count, first }) =>
    count === '1'
      ? `Beheben Sie zuerst dieses Problem: ${first}`
      : `Beheben Sie zuerst ${count} Probleme. Das erste: ${first}`,
  REVISION_IN_REVIEW: () =>
    'Diese Version ist in Prüfung und gesperrt. Um sie zu bearbeiten, ziehen Sie die Anfrage zurück, oder fordern Sie Änderungen an.',
  REVIEW_REQUIRED: () =>
    'In diesem Arbeitsbereich wird nur veröffentlicht, was in Prüfung ist. Fordern Sie zuerst eine Prüfung an.',
  REVISION_IS_YOURS: () =>
    'Sie haben diese Version geschrieben. In diesem Arbeitsbereich muss eine andere Person sie veröffentlichen.',
  REVIEWER_CANNOT_APPROVE: () =>
    'Wählen Sie eine andere Person, die veröffentlichen oder verwalten darf und den Entwurf nicht geschrieben hat.',
  EMPTY_TOUR: () => 'Fügen Sie mindestens einen Schritt hinzu.',
  TARGET_REQUIRED: ({ step }) => `Schritt „${step}“ hat kein Element. Wählen Sie eines.`,
  TARGET_SELECTOR_INVALID: ({ step, selector }) =>
    `Schritt „${step}“ sucht ${selector}. Das ist kein gültiger CSS-Selektor. Korrigieren Sie ihn.`,
  ADVANCE_SELECTOR_INVALID: ({ step, selector }) =>
    `„${step}“ wartet auf ${selector}. Das ist kein gültiger CSS-Selektor. Korrigieren Sie ihn.`,
  BRANCH_UNKNOWN_STEP: ({ step, key }) =>
    `„${step}“ führt zu „${key}“. Diesen Schritt gibt es in der Tour nicht. Wählen Sie einen anderen.`,
  UNREACHABLE_STEP: ({ step }) =>
    `Kein Schritt führt zu „${step}“. Fügen Sie eine Abzweigung dorthin hinzu, oder löschen Sie den Schritt.`,
  ADVANCE_INCOMPLETE: ({ step, thing }) => `Legen Sie fest, worauf „${step}“ wartet: ${word(thing)}.`,
  ADVANCE_IMPOSSIBLE: ({ step }) =>
    `„${step}“ wartet auf einen Klick auf sein Element, aber die Seite ist gesperrt. Schalten Sie „Seite sperren“ aus.`,
  WAIT_WITHOUT_RULE: ({ step }) => `„${step}“ hat keinen Button. Legen Sie fest, worauf der Schritt wartet.`,
  PAGE_MISSING: ({ step }) =>
    `„${step}“ folgt auf einen Seitenwechsel. Legen Sie seine Seite fest, sonst sucht er sein Element auf jeder Seite.`,
  ELEMENT_MISSING: ({ step, sites, missing, seen }) =>
    `Das Element von „${step}“ fehlte in den letzten 7 Tagen auf ${sites}. Durchläufe und Startversuche ohne Element: ${missing}, Durchläufe, die den Schritt zeigten: ${seen}. Prüfen Sie das Ziel des Schritts.`,
  START_EVENT_MISSING: () => 'Legen Sie das Ereignis fest, das die Tour startet.',
  EVERY_DAYS_MISSING: () => 'Legen Sie fest, nach wie vielen Tagen die Tour wieder erscheinen darf.',
  DUPLICATE_STEP_KEY: ({ key }) => `Zwei Schritte haben denselben Schlüssel „${key}“. Ändern Sie einen davon.`,
  BROKEN_LINK: ({ step, link }) =>
    `Im Text von „${step}“ erscheint ${link} nicht als Link. Ein Link braucht eine vollständige Adresse, die mit https://, http:// oder mailto: beginnt.`,
  BROKEN_IMAGE: ({ step, image }) =>
    `Im Text von „${step}“ erscheint ${image} nicht als Bild. Ein Bild braucht eine eigene Zeile, eine Beschreibung und eine Adresse, die mit https:// beginnt.`,
  TRANSLATIONS_MISSING: ({ locale, count }) =>
    `Nicht in ${locale} übersetzte Texte: ${count}. Besucher sehen die Originaltexte.`,
  TRANSLATIONS_OUTDATED: ({ locale, count }) =>
    `Veraltete Übersetzungen in ${locale}: ${count}. Die Originaltexte wurden geändert; prüfen Sie die Übersetzungen.`,
  LONG_BODY: ({ step }) => `Der Text von „${step}“ ist lang. Nur wenige lesen mehr als 400 Zeichen in einem Popover.`,
  MANY_STEPS: ({ count }) => `Diese Tour hat ${count} Schritte. Nur wenige schließen mehr als 7 ab.`,
  TOUR_ARCHIVED: () =>
    'Diese Tour ist archiviert. Stellen Sie sie wieder her, um sie zu bearbeiten oder zu veröffentlichen.',
  TOUR_LIVE: ({ sites }) =>
    `Diese Tour hat auf ${sites} Veröffentlichungen, die nicht gestoppt sind. Stoppen Sie sie, bevor Sie die Tour archivieren.`,
  NOTHING_TO_ROLL_BACK: () =>
    'Auf dieser Website wurde keine andere Version veröffentlicht, auf die Sie zurückrollen können.',
  THEME_IN_USE: ({ count }) => `Touren, die dieses Design verwenden: ${count}.`,
  DEFAULT_THEME: () => 'Das Standarddesign kann nicht gelöscht werden. Legen Sie zuerst ein anderes als Standard fest.',
  SEGMENT_IN_USE: ({ segment, tours }) =>
    `Das Segment „${segment}“ wird verwendet von: ${tours}. Wählen Sie für diese Touren zuerst eine andere Zielgruppe.`,
  SEGMENT_DELETED: ({ revision }) =>
    `Version ${revision} verwendet ein gelöschtes Segment. Stellen Sie die Version als Entwurf wieder her, und wählen Sie eine andere Zielgruppe.`,
  LAST_ADMIN: () =>
    'In einem Arbeitsbereich muss mindestens ein Mitglied die Rolle „Administration“ haben. Geben Sie zuerst einem anderen diese Rolle.',
  ALREADY_MEMBER: ({ email }) => `${email} ist bereits Mitglied.`,
  ALREADY_INVITED: ({ email }) =>
    `${email} ist bereits eingeladen. Erstellen Sie in der Liste der Einladungen einen neuen Link.`,
  INVITATION_UNKNOWN: () =>
    'Zu diesem Link gehört keine Einladung. Kopieren Sie den vollständigen Link, oder bitten Sie um einen neuen.',
  INVITATION_USED: () => 'Diese Einladung wurde bereits angenommen. Ein Link gilt nur einmal.',
  INVITATION_REVOKED: () =>
    'Diese Einladung wurde zurückgezogen. Bitten Sie die Administration des Arbeitsbereichs um eine neue.',
  INVITATION_EXPIRED: ({ person }) => `Diese Einladung ist abgelaufen. Bitten Sie ${person} um einen neuen Link.`,
  INVITATION_FOR_ANOTHER: ({ email }) =>
    `Diese Einladung ist für ${email}. Melden Sie sich mit dem Konto an, das diese Adresse hat.`,
  EMAIL_UNVERIFIED: ({ email }) =>
    `Der Identitätsanbieter hat ${email} nicht bestätigt. Bestätigen Sie die Adresse dort, und melden Sie sich erneut an.`,
  COMMENT_NOT_YOURS: ({ person }) =>
    `Diesen Kommentar können nur ${person} und Mitglieder mit der Rolle „Administration“ löschen.`,
  UNKNOWN_SITE: () => 'Zu diesem Schlüssel gibt es keine Website. Kopieren Sie ihn noch einmal unter „Websites“.',
  ORIGIN_NOT_ALLOWED: ({ origin }) =>
    `Die Website mit diesem Schlüssel erlaubt keine Seiten von ${origin}. Fügen Sie die Adresse unter „Websites“ hinzu.`,
  TOO_MANY_IDENTITY_KEYS: ({ limit }) =>
    `Eine Website kann höchstens ${limit} Identitätsschlüssel haben. Widerrufen Sie zuerst einen.`,
  PUBLIC_KEY_INVALID: () =>
    'Das ist kein öffentlicher Ed25519-Schlüssel. Geben Sie eine PEM-Datei ein, die mit -----BEGIN PUBLIC KEY----- beginnt, oder einen JWK ohne privaten Teil.',
  IDENTITY_KEY_MISSING: () =>
    'Fügen Sie der Website einen Identitätsschlüssel hinzu, bevor Sie signierte IDs einschalten.',
  IDENTITY_TOKEN_INVALID: ({ problem: reason }) =>
    `Das Identitätstoken wird nicht akzeptiert: ${reason}. Identifizieren Sie den Besucher mit einem neuen Token.`,
  INSECURE_ORIGIN: ({ origin }) =>
    `${origin} verwendet kein https. Verwenden Sie https, oder erlauben Sie http für diese Website.`,
  PUBLIC_SUFFIX: ({ origin }) =>
    `${origin} umfasst auch Websites anderer, weil unter dieser Domain alle einen Namen registrieren können. Geben Sie eine eigene Domain ein.`,
  ALREADY_RELEASED: ({ sites }) =>
    `Diese Fassung ist mit diesen Einstellungen bereits veröffentlicht: ${sites}. Ändern Sie die Tour oder eine Einstellung, um sie erneut zu veröffentlichen.`,
  SCHEDULE_EMPTY: () => 'Die Veröffentlichung würde vor ihrem Beginn enden. Wählen Sie ein späteres Ende.',
  UNKNOWN_RELEASE: () => 'Die Veröffentlichung dieses Durchlaufs gehört nicht zu dieser Website.',
  RUN_NOT_YOURS: () => 'Dieser Durchlauf gehört einem anderen Besucher.',
  TOO_MANY_RUNS: ({ limit }) => `Ein Besucher kann eine Tour höchstens ${limit}-mal in sieben Tagen beginnen.`,
  REPORT_INCOMPLETE: ({ limit, per_hour }) =>
    `Ein Teil der Meldung ist noch nicht gespeichert: Eine Meldung kann ${limit} Durchlauf beginnen und eine Netzwerkadresse ${per_hour} Durchläufe in der Stunde. Senden Sie die Meldung später erneut.`,
  TOO_MANY_VISITORS: ({ seconds }) =>
    `Zu viele neue Besucher von dieser Netzwerkadresse. Versuchen Sie es in ${seconds} Sekunden erneut.`,
  SITE_FULL: ({ limit }) =>
    `Diese Website hat die Höchstzahl von ${limit} Besuchern erreicht, neue sehen keine Touren. Entfernen Sie Besucher auf der Seite „Besucher“.`,
  UNKNOWN_VISITOR: () => 'Dieser Besucher hat noch keine Seite dieser Website geöffnet. Rufen Sie zuerst boot auf.',
  NOT_YOUR_TEST_USER: ({ person }) =>
    `Das ist der Testbesucher von ${person}. Nur ${person} kann ihn zurücksetzen oder freigeben.`,
  NO_TEST_USER: () =>
    'Dieser Besucher ist kein Testbesucher. Machen Sie ihn zu Ihrem Testbesucher, bevor Sie ihn zurücksetzen.',
  UNKNOWN_STEP: ({ key }) => `Diese Tour hat keinen Schritt „${key}“.`,
  EVENT_TOO_OLD: () => 'Ereignisse, die älter als 7 Tage sind, werden nicht angenommen.',
  RANGE_TOO_LONG: ({ days }) => `Wählen Sie einen Zeitraum von höchstens ${days} Tagen.`,
  RATE_LIMITED: ({ seconds }) => `Zu viele Anfragen. Versuchen Sie es in ${seconds} Sekunden erneut.`,
  PAYLOAD_TOO_LARGE: ({ limit }) => `Die Anfrage ist größer als ${limit} Bytes.`,
  MALFORMED_REQUEST: slots => `Die Anfrage ist keine GraphQL-Anfrage: ${slots.problem}.`,
  UNKNOWN_OPERATION: () => 'Dieser Server beantwortet nur die Operationen, mit denen er gebaut wurde.',
  INVALID_DOCUMENT: slots => `Das Dokument passt nicht zum Schema: ${slots.problem}`,
  TOO_COSTLY: ({ cost, limit }) => `Diese Anfrage kostet ${cost}, mehr als die Grenze von ${limit}.`,
  UNAVAILABLE: slots => `Der Dienst ist im Moment nicht verfügbar: ${slots.problem}.`,
  TIMEOUT: () => 'Der Server hat zu lange für die Antwort gebraucht.',
  INTERNAL: ({ id }) =>
    `Auf dem Server ist etwas schiefgelaufen. Versuchen Sie es noch einmal, und nennen Sie die Referenz ${id}, wenn es wieder passiert.`,
};

function filled(code: string, message: string): string {
  if (!isErrorCode(code)) return message;
  const slots = extractSlots(code, message);
  return slots && hasSlots(code, slots) ? sentence(code, slots) : message;
}

function sentence<Code extends ErrorCode>(code: Code, slots: Slots<Code>): string {
  const localized = Object.entries<string>(slots).map(([name, text]) => [name, localizeSlot(text)]);
  return sentences[code](Object.fromEntries(localized));
}

const hasSlots = (code: ErrorCode, slots: Readonly<Record<string, string>>): slots is Slots<ErrorCode> =>
  errorCatalogue[code].slots.every(slot => Object.hasOwn(slots, slot));

function extractSlots(code: ErrorCode, message: string): Readonly<Record<string, string>> | null {
  const parts = errorCatalogue[code].message.split(/\{(\w+)\}/);
  const pattern = parts.map((part, index) => {
    // Odd indices are slots, which can repeat.
    if (index % 2 === 0) return part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`);
    return parts.indexOf(part) < index ? String.raw`\k<${part}>` : `(?<${part}>.*)`;
  });
  const found = new RegExp(`^${pattern.join('')}$`, 's').exec(message);
  return found && { ...found.groups };
}

/** The code of the slot is unknown, so the longest matching message is used. */
function localizeSlot(text: string): string {
  const [code] = Object.keys(errorCatalogue)
    .filter(isErrorCode)
    .filter(each => extractSlots(each, text) !== null)
    .toSorted((a, b) => errorCatalogue[b].message.length - errorCatalogue[a].message.length);
  return code ? filled(code, text) : text;
}

export const errors: ErrorsTexts = {
  sentence,
  filled,
  problem,
  outOfRange: (min, max) => `Muss zwischen ${min} und ${max} liegen.`,
  streamBroken: 'Live-Aktualisierung unterbrochen. Die Verbindung wird wiederhergestellt …',
  unreadable:
    'Die Antwort war nicht lesbar. Vielleicht hat etwas zwischen Ihnen und dem Server sie ersetzt, etwa ein Proxy.',
  timeout: 'Der Server hat zu lange für die Antwort gebraucht.',
  stopped: 'Die Anfrage wurde abgebrochen.',
  offline: 'Sie sind offline.',
  unreachable: 'Der Server ist nicht erreichbar.',
  unexpected: 'Auf dieser Seite ist etwas schiefgelaufen.',
  noReason: 'Der Server hat ohne Begründung abgelehnt.',
  noGraphql: 'Die Antwort ist keine GraphQL-Antwort.',
  status: status => `Der Server hat mit Status ${status} statt mit einer GraphQL-Antwort geantwortet.`,
};
