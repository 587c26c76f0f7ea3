import type { ErrorCode, Slots } from '../../../generated/errors';
import type { ErrorsTexts } from '../en/errors';
import { problem } from './violations';

/** What the server calls things and states, in its slots. A newer server may know others: they stay as they are. */
const words: Readonly<Record<string, string>> = {
  viewer: 'Betrachter',
  author: 'Autor',
  publisher: 'Herausgeber',
  admin: 'Administrator',
  administrator: 'Administrator',
  account: 'Konto',
  member: 'Mitglied',
  members: 'Mitglieder',
  release: 'Veröffentlichung',
  releases: 'Veröffentlichungen',
  revision: 'Fassung',
  run: 'Durchlauf',
  site: 'Website',
  sites: 'Websites',
  step: 'Schritt',
  steps: 'Schritte',
  theme: 'Design',
  themes: 'Designs',
  tour: 'Tour',
  tours: 'Touren',
  workspace: 'Arbeitsbereich',
  workspaces: 'Arbeitsbereiche',
  archived: 'archiviert',
  draft: 'Entwurf',
  ended: 'beendet',
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
  UNAUTHENTICATED: () => 'Bitte anmelden, um weiterzumachen.',
  FORBIDDEN: ({ role }) =>
    `Dafür ist die Rolle ${word(role)} nötig. Ein Administrator des Arbeitsbereichs kann sie geben.`,
  NOT_FOUND: ({ thing }) => `Nicht gefunden: ${word(thing)}. Vielleicht gelöscht, vielleicht hier nicht sichtbar.`,
  INVALID_INPUT: slots => `${slots.field}: ${problem(slots.problem)}.`,
  VERSION_CONFLICT: ({ person }) =>
    `${person} hat eine neuere Fassung gespeichert. Bitte die Unterschiede ansehen und noch einmal speichern.`,
  SLUG_TAKEN: ({ slug }) => `Die Adresse „${slug}“ ist in diesem Arbeitsbereich vergeben.`,
  WORKSPACE_SLUG_TAKEN: ({ slug }) => `Die Adresse „${slug}“ hat schon ein anderer Arbeitsbereich.`,
  LIMIT_REACHED: ({ limit, things }) =>
    `Mehr geht in diesem Arbeitsbereich nicht: Er hat schon ${limit} ${word(things)}.`,
  ILLEGAL_TRANSITION: ({ thing, from, to }) => `${word(thing)}: Von „${word(from)}“ führt kein Weg zu „${word(to)}“.`,
  HAS_BLOCKERS: ({ count, first }) =>
    count === '1' ? `Erst dieses Problem lösen: ${first}` : `Erst ${count} Probleme lösen. Das erste: ${first}`,
  REVISION_IN_REVIEW: () =>
    'Diese Fassung ist in Prüfung und lässt sich nicht ändern. Zum Weiterschreiben zurück zum Entwurf.',
  REVIEW_REQUIRED: () => 'Dieser Arbeitsbereich veröffentlicht nur, was in Prüfung ist. Erst um eine Prüfung bitten.',
  REVISION_IS_YOURS: () =>
    'Wer eine Fassung geschrieben hat, kann sie hier nicht veröffentlichen. Das muss jemand anders tun.',
  EMPTY_TOUR: () => 'Mindestens ein Schritt fehlt.',
  TARGET_REQUIRED: ({ step }) => `Schritt „${step}“ braucht ein Element, auf das er zeigt.`,
  BRANCH_UNKNOWN_STEP: ({ step, key }) => `„${step}“ führt zu „${key}“, das kein Schritt dieser Tour ist.`,
  UNREACHABLE_STEP: ({ step }) =>
    `Kein Weg führt zu „${step}“. Einen anderen Schritt dorthin führen lassen, oder diesen löschen.`,
  ADVANCE_INCOMPLETE: ({ step, thing }) => `Bitte angeben, worauf „${step}“ wartet: ${word(thing)}.`,
  ADVANCE_IMPOSSIBLE: ({ step }) =>
    `„${step}“ wartet auf einen Klick auf sein Element, an das niemand herankommt: Die Seite muss benutzbar bleiben.`,
  WAIT_WITHOUT_RULE: ({ step }) => `„${step}“ zeigt keinen Knopf. Bitte angeben, worauf er wartet.`,
  PAGE_UNSAID: ({ step }) =>
    `„${step}“ kommt nach einem Seitenwechsel. Bitte angeben, auf welche Seite er gehört, sonst sucht er sein Element auf jeder.`,
  START_EVENT_MISSING: () => 'Bitte angeben, welches Ereignis die Tour beginnt.',
  EVERY_DAYS_MISSING: () => 'Bitte angeben, nach wie vielen Tagen die Tour wiederkommen darf.',
  DUPLICATE_STEP_KEY: ({ key }) => `Zwei Schritte haben denselben Schlüssel „${key}“.`,
  BROKEN_LINK: ({ step, link }) =>
    `Im Text von „${step}“ wird ${link} gezeigt, wie es dasteht. Damit ein Link geht, muss seine Adresse vollständig sein und mit https://, http:// oder mailto: beginnen.`,
  BROKEN_IMAGE: ({ step, image }) =>
    `Im Text von „${step}“ wird ${image} nicht als Bild gezeigt. Ein Bild braucht eine eigene Zeile, Worte für alle, die es nicht sehen, und eine Adresse, die mit https:// beginnt.`,
  LONG_BODY: ({ step }) => `Der Text von „${step}“ ist lang: Kaum jemand liest mehr als 400 Zeichen in einem Popover.`,
  MANY_STEPS: ({ count }) => `Diese Tour hat ${count} Schritte: Kaum jemand geht mehr als 7 zu Ende.`,
  TOUR_ARCHIVED: () => 'Diese Tour ist archiviert. Zum Bearbeiten oder Veröffentlichen erst wiederherstellen.',
  TOUR_LIVE: ({ sites }) => `Diese Tour läuft auf ${sites}. Vor dem Archivieren die Veröffentlichungen beenden.`,
  NOTHING_TO_ROLL_BACK: () => 'Auf dieser Website gibt es keine frühere Veröffentlichung, zu der es zurückginge.',
  THEME_IN_USE: ({ count }) => `Touren, die dieses Design benutzen: ${count}.`,
  DEFAULT_THEME: () => 'Das Standarddesign lässt sich nicht löschen. Erst ein anderes zum Standard machen.',
  LAST_ADMIN: () => 'Ein Arbeitsbereich braucht mindestens einen Administrator.',
  ALREADY_MEMBER: ({ email }) => `${email} ist schon Mitglied.`,
  ACCOUNT_UNKNOWN: ({ email }) => `Mit der Adresse ${email} hat sich noch niemand angemeldet. Eine Einladung hilft.`,
  ALREADY_INVITED: ({ email }) =>
    `${email} ist schon eingeladen. Einen neuen Link gibt es in der Liste der Einladungen.`,
  INVITATION_UNKNOWN: () =>
    'Zu diesem Link gehört keine Einladung. Bitte noch einmal ganz kopieren oder um einen neuen bitten.',
  INVITATION_USED: () => 'Diese Einladung wurde schon angenommen. Ein Link gilt einmal.',
  INVITATION_REVOKED: () =>
    'Diese Einladung wurde zurückgezogen. Ein Administrator des Arbeitsbereichs kann eine neue geben.',
  INVITATION_EXPIRED: ({ person }) => `Diese Einladung ist abgelaufen. Einen neuen Link gibt es von ${person}.`,
  INVITATION_FOR_ANOTHER: ({ email }) =>
    `Diese Einladung ist für ${email}. Bitte mit dem Konto anmelden, das diese Adresse hat.`,
  EMAIL_UNVERIFIED: ({ email }) =>
    `Die Anmeldestelle hat ${email} nicht bestätigt. Bitte die Adresse dort bestätigen und sich noch einmal anmelden.`,
  COMMENT_NOT_YOURS: ({ person }) => `Diesen Kommentar kann nur ${person} oder ein Administrator löschen.`,
  UNKNOWN_SITE: () => 'Diesen Schlüssel hat keine Website. Bitte unter „Websites“ noch einmal kopieren.',
  ORIGIN_NOT_ALLOWED: ({ origin }) =>
    `${origin} gehört nicht zu den Webadressen dieser Website. Dort lässt sie sich eintragen, unter „Websites“.`,
  SCHEDULE_EMPTY: () => 'Die Veröffentlichung wäre vorbei, bevor sie beginnt. Bitte ein späteres Ende wählen.',
  UNKNOWN_RELEASE: () => 'Die Veröffentlichung dieses Durchlaufs läuft nicht auf dieser Website.',
  RUN_NOT_YOURS: () => 'Dieser Durchlauf gehört einem anderen Besucher.',
  NOT_YOUR_TEST_PARTICIPANT: ({ person }) =>
    person === 'Nobody'
      ? 'Niemand testet als diese Person. Nur wer mit ihr testet, darf sie zurücksetzen.'
      : `${person} testet als diese Person. Nur wer mit ihr testet, darf sie zurücksetzen oder freigeben.`,
  UNKNOWN_STEP: ({ key }) => `Diese Tour hat keinen Schritt „${key}“.`,
  EVENT_TOO_OLD: () => 'Ereignisse, die älter als 7 Tage sind, werden nicht angenommen.',
  RANGE_TOO_LONG: ({ days }) => `Bitte einen Zeitraum von höchstens ${days} Tagen wählen.`,
  RATE_LIMITED: ({ seconds }) => `Zu viele Anfragen. Bitte in ${seconds} s noch einmal versuchen.`,
  PAYLOAD_TOO_LARGE: ({ limit }) => `Die Anfrage ist größer als ${limit} Bytes.`,
  MALFORMED_REQUEST: slots => `Die Anfrage ist keine GraphQL-Anfrage: ${slots.problem}.`,
  UNKNOWN_OPERATION: () => 'Dieser Server beantwortet nur die Operationen, mit denen er gebaut wurde.',
  INVALID_DOCUMENT: slots => `Das Dokument passt nicht zum Schema: ${slots.problem}`,
  TOO_COSTLY: ({ cost, limit }) => `Diese Anfrage kostet ${cost}, mehr als die Grenze von ${limit}.`,
  UNAVAILABLE: slots => `Der Dienst ist im Moment nicht verfügbar: ${slots.problem}.`,
  TIMEOUT: () => 'Der Server hat zu lange für die Antwort gebraucht.',
  INTERNAL: ({ id }) => `Auf dem Server ist etwas fehlgeschlagen. Referenz ${id}.`,
};

export const errors: ErrorsTexts = {
  sentence: (code, slots) => sentences[code](slots),
  problem,
  streamBroken: 'Die Live-Verbindung ist abgebrochen. Sie wird wiederhergestellt.',
  unreadable: 'Die Antwort war nicht lesbar. Etwas zwischen hier und dem Server, etwa ein Proxy, hat sie ersetzt.',
  timeout: 'Der Server hat zu lange für die Antwort gebraucht.',
  stopped: 'Die Anfrage wurde abgebrochen.',
  offline: 'Keine Internetverbindung.',
  unreachable: 'Der Server ist nicht erreichbar.',
  unexpected: 'In dieser Seite ist etwas Unerwartetes geschehen.',
  noReason: 'Der Server hat ohne Begründung abgelehnt.',
  noGraphql: 'Die Antwort ist keine GraphQL-Antwort.',
  status: status => `Der Server hat mit Status ${status} statt mit einer GraphQL-Antwort geantwortet.`,
};
