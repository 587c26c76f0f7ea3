import type { ExpectedType, FormatName, RuleName, RuleParams, Violation } from '../../../generated/traitql';

/** Messages of the schema's constraints. Each follows the name of a field. */
const rules: { readonly [Rule in RuleName]: (params: RuleParams[Rule]) => string } = {
  required: () => 'ist erforderlich',
  type: ({ expected, field }) =>
    expected === 'KNOWN_FIELD' ? `darf das Feld \`${field}\` nicht haben` : types[expected],
  enum: ({ values }) => `muss eines von diesen sein: ${values.join(', ')}`,
  length: ({ min, max }) => {
    if (min === 1) return 'darf nicht leer sein';
    return min === undefined ? `darf höchstens ${max} Zeichen haben` : `muss mindestens ${min} Zeichen haben`;
  },
  count: ({ min, max }) =>
    min === undefined ? `darf höchstens ${entries(max)} haben` : `muss mindestens ${entries(min)} haben`,
  range: ({ min, max }) => {
    if (min === undefined) return `darf höchstens ${max} sein`;
    return max === undefined ? `muss mindestens ${min} sein` : `muss zwischen ${min} und ${max} liegen`;
  },
  depth: ({ max, leaves }) =>
    max === undefined
      ? `darf höchstens ${leaves} ${leaves === 1 ? 'Teil' : 'Teile'} haben`
      : `darf höchstens ${max} ${max === 1 ? 'Ebene' : 'Ebenen'} tief sein`,
  format: ({ format }) => formats[format],
};

const entries = (number: number | undefined): string => `${number} ${number === 1 ? 'Eintrag' : 'Einträge'}`;

const types: Readonly<Record<Exclude<ExpectedType, 'KNOWN_FIELD'>, string>> = {
  INTEGER: 'muss eine ganze Zahl sein',
  INTEGER_RANGE: 'muss eine ganze Zahl von -2147483648 bis 2147483647 sein',
  NUMBER: 'muss eine Zahl sein',
  NUMBER_SIZE: 'muss eine Zahl mit höchstens 64 Bit oder ein Text sein',
  STRING: 'muss ein Text sein',
  NO_NUL: 'darf das Zeichen U+0000 nicht enthalten',
  BOOLEAN: 'muss wahr oder falsch sein',
  ID: 'muss ein Text oder eine ganze Zahl sein',
  OBJECT: 'muss ein Objekt sein',
  ONE_OF: 'muss genau ein Feld haben, und es darf nicht null sein',
  SCALAR: 'hat nicht das verlangte Format',
};

const formats: Readonly<Record<FormatName, string>> = {
  SLUG: 'braucht 2 bis 40 Zeichen: Kleinbuchstaben, Ziffern und einzelne Bindestriche, am Anfang ein Buchstabe',
  KEY: 'braucht 1 bis 40 Zeichen: Kleinbuchstaben, Ziffern, `-` und `_`, am Anfang ein Buchstabe',
  ORIGIN: 'muss eine Adresse wie `https://app.example.com` sein: mit https (oder http auf localhost) und ohne Pfad',
  ORIGIN_PATTERN: 'muss eine Adresse wie `https://app.example.com` oder `https://*.example.com` sein, ohne Pfad',
  COLOR: 'muss eine Farbe wie `#2f5bea` sein',
  EMAIL: 'muss eine E-Mail-Adresse sein',
  LOCALE: 'muss ein Sprachkürzel wie `de-CH` sein',
  PATH_PATTERN: 'muss ein Pfad sein, der mit `/` beginnt; `*` ist ein Platzhalter',
  SELECTOR: 'muss ein Selektor ohne Steuerzeichen sein',
  LINE: 'muss eine einzige Zeile ohne Steuerzeichen sein',
  TEXT: 'darf außer Zeilenumbrüchen und Tabulatoren keine Steuerzeichen enthalten',
};

/** Keeps the message of a rule, type or format of a newer server, which this version does not know. */
export const problem = (violation: Violation): string =>
  (isKnown(violation) ? format(violation) : null) ?? violation.problem;

type Known<Rule extends RuleName = RuleName> = {
  [Each in Rule]: { readonly rule: Each; readonly params: RuleParams[Each] };
}[Rule];

const isKnown = (violation: Violation): violation is Violation & Known => Object.hasOwn(rules, violation.rule);

const format = <Rule extends RuleName>({ rule, params }: Known<Rule>): string | undefined => rules[rule](params);
