/** Values, problems and the server's error. */
import { useState, type FormEvent } from 'react';
import type { Violation } from '../../generated/traitql';
import type { AppError } from '../api/app-error';
import { t } from '../i18n/en/errors';

export interface Form<Values extends object> {
  readonly values: Values;
  readonly set: (patch: Partial<Values>) => void;
  /** Undefined before the field was left or the form was submitted. */
  readonly problem: (field: keyof Values & string) => string | undefined;
  readonly touch: (field: keyof Values & string) => void;
  readonly error: AppError | null;
  readonly busy: boolean;
  readonly submit: (event: FormEvent) => void;
  readonly reset: () => void;
}

export function useForm<Values extends object>(options: {
  initial: Values;
  check: (values: Values) => readonly Violation[];
  send: (values: Values) => Promise<AppError | null>;
}): Form<Values> {
  const [values, setValues] = useState(options.initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  const violations = options.check(values);
  const serverViolations = error?.kind === 'graphql' ? error.violations : [];
  const isOf = (field: string) => (each: Violation) => fieldOf(each.path) === field;
  const problem = (field: keyof Values & string) => {
    const local = submitted || touched.has(field) ? violations.find(isOf(field)) : undefined;
    const found = local ?? serverViolations.find(isOf(field));
    return found && formatProblem(found);
  };
  const allAtFields = serverViolations.length > 0 && serverViolations.every(each => fieldOf(each.path) in values);

  return {
    values,
    set: patch => {
      setError(null);
      setValues(current => ({ ...current, ...patch }));
    },
    problem,
    touch: field => setTouched(current => new Set([...current, field])),
    error: allAtFields ? null : error,
    busy,
    reset: () => {
      setValues(options.initial);
      setTouched(new Set());
      setSubmitted(false);
      setError(null);
    },
    submit: event => {
      event.preventDefault();
      setSubmitted(true);
      if (busy || violations.length > 0) return;
      setBusy(true);
      setError(null);
      void options.send(values).then(failure => {
        setBusy(false);
        setError(failure);
      });
    },
  };
}

const fieldOf = (path: string): string => path.replace(/^input\./, '').split('.')[0] ?? '';

/** Returns the message of a violation as a sentence in the current language: `Must not be empty.` */
export const formatProblem = (violation: Violation): string => toSentence(t.problem(violation));

/** Makes a sentence of a phrase that follows the name of a field. */
export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
