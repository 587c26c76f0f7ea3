/**
 * Matches messages of the server and `generated/traitql.ts`, which are identical. `violations.spec.ts` checks that
 * every message of the example tables is covered.
 */

const forms: readonly (readonly [english: RegExp, german: string])[] = [
  [/^must not be empty$/, 'darf nicht leer sein'],
  [/^is required$/, 'ist erforderlich'],
  [/^must not be null$/, 'ist erforderlich'],
  [/^must be an object$/, 'muss ein Objekt sein'],
  [
    /^must have exactly one field, and its value must not be null$/,
    'muss genau ein Feld haben, und es darf nicht null sein',
  ],
  [/^must not have the field `(.+)`$/, 'darf das Feld `$1` nicht haben'],
  [/^must be one of (.+)$/, 'muss eines von diesen sein: $1'],
  [/^must be an integer$/, 'muss eine ganze Zahl sein'],
  [/^must be an integer between (\S+) and (\S+)$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [/^must be a number$/, 'muss eine Zahl sein'],
  [/^must be a number that fits in 64 bits, or a string$/, 'muss eine Zahl mit höchstens 64 Bit oder ein Text sein'],
  [/^must be a string$/, 'muss ein Text sein'],
  [/^must be true or false$/, 'muss wahr oder falsch sein'],
  [/^must be a string or an integer$/, 'muss ein Text oder eine ganze Zahl sein'],
  [/^must have at least (\S+) characters?$/, 'muss mindestens $1 Zeichen haben'],
  [/^must have at most (\S+) characters?$/, 'darf höchstens $1 Zeichen haben'],
  [/^must have at least (1) entry$/, 'muss mindestens $1 Eintrag haben'],
  [/^must have at least (\S+) entries$/, 'muss mindestens $1 Einträge haben'],
  [/^must have at most (1) entry$/, 'darf höchstens $1 Eintrag haben'],
  [/^must have at most (\S+) entries$/, 'darf höchstens $1 Einträge haben'],
  [/^must not be nested deeper than (1) level$/, 'darf höchstens $1 Ebene tief sein'],
  [/^must not be nested deeper than (\S+) levels$/, 'darf höchstens $1 Ebenen tief sein'],
  [/^must not contain more than (1) leaf object$/, 'darf höchstens $1 Teil haben'],
  [/^must not contain more than (\S+) leaf objects$/, 'darf höchstens $1 Teile haben'],
  [/^must be between (\S+) and (\S+)$/, 'muss zwischen $1 und $2 liegen'],
  [/^must be at least (\S+)$/, 'muss mindestens $1 sein'],
  [/^must be at most (\S+)$/, 'darf höchstens $1 sein'],
  [
    /^must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter$/,
    'braucht 2 bis 40 Zeichen: Kleinbuchstaben, Ziffern und einzelne Bindestriche, am Anfang ein Buchstabe',
  ],
  [
    /^must be 1 to 40 lowercase letters, digits, `-` and `_`, starting with a letter$/,
    'braucht 1 bis 40 Zeichen: Kleinbuchstaben, Ziffern, `-` und `_`, am Anfang ein Buchstabe',
  ],
  [
    /^must be an origin such as `(.+)`: https, or http on a loopback host, without a path$/,
    'muss eine Adresse wie `$1` sein: mit https (oder http auf localhost) und ohne Pfad',
  ],
  [
    /^must be an origin such as `(.+)` or `(.+)`, without a path$/,
    'muss eine Adresse wie `$1` oder `$2` sein, ohne Pfad',
  ],
  [/^must be a color such as `(.+)`$/, 'muss eine Farbe wie `$1` sein'],
  [/^must be an email address$/, 'muss eine E-Mail-Adresse sein'],
  [/^must be a language tag such as `(.+)`$/, 'muss ein Sprachkürzel wie `$1` sein'],
  [
    /^must be a path that starts with `\/`; `\*` matches any characters$/,
    'muss ein Pfad sein, der mit `/` beginnt; `*` ist ein Platzhalter',
  ],
  [/^must be a selector without control characters$/, 'muss ein Selektor ohne Steuerzeichen sein'],
  [/^must be one line without control characters$/, 'muss eine einzige Zeile ohne Steuerzeichen sein'],
  [
    /^must not contain control characters except line breaks and tabs$/,
    'darf außer Zeilenumbrüchen und Tabulatoren keine Steuerzeichen enthalten',
  ],
  [/^the first day must not be after the last$/, 'das Startdatum darf nicht nach dem Enddatum liegen'],
];

/** Keeps messages that no pattern matches, for example from a newer server. */
export function problem(english: string): string {
  const form = forms.find(([pattern]) => pattern.test(english));
  return form ? english.replace(form[0], form[1]) : english;
}
