/** A small form: values, the problems of each field at the right moment, and what the server said. */
import { useState, type FormEvent } from 'react';
import type { Violation } from '../../generated/traitql';
import type { AppError } from '../api/app-error';
import { t } from '../i18n/en/errors';

export interface Form<Values extends object> {
  readonly values: Values;
  readonly set: (patch: Partial<Values>) => void;
  /** What to show at a field: nothing before the person has left it or tried to send. */
  readonly problem: (field: keyof Values & string) => string | undefined;
  readonly leave: (field: keyof Values & string) => void;
  /** A failure that belongs to no field. */
  readonly error: AppError | null;
  readonly busy: boolean;
  readonly submit: (event: FormEvent) => void;
  /** Begins again, as if nothing had been typed. */
  readonly reset: () => void;
}

export function useForm<Values extends object>(options: {
  initial: Values;
  check: (values: Values) => readonly Violation[];
  /** Sends the values; answers with the error when it failed. */
  send: (values: Values) => Promise<AppError | null>;
}): Form<Values> {
  const [values, setValues] = useState(options.initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  const violations = options.check(values);
  const refused = error?.kind === 'graphql' ? error.violations : [];
  const belongs = (field: string) => (each: Violation) => fieldOf(each.path) === field;
  const problem = (field: keyof Values & string) => {
    const local = tried || left.has(field) ? violations.find(belongs(field)) : undefined;
    const found = local ?? refused.find(belongs(field));
    return found && sentence(found.problem);
  };
  const atFields = refused.length > 0 && refused.every(each => fieldOf(each.path) in values);

  return {
    values,
    set: patch => {
      setError(null);
      setValues(current => ({ ...current, ...patch }));
    },
    problem,
    leave: field => setLeft(current => new Set([...current, field])),
    error: atFields ? null : error,
    busy,
    reset: () => {
      setValues(options.initial);
      setLeft(new Set());
      setTried(false);
      setError(null);
    },
    submit: event => {
      event.preventDefault();
      setTried(true);
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

/** `input.title` and `title` are both the field `title`. */
const fieldOf = (path: string): string => path.replace(/^input\./, '').split('.')[0] ?? '';

/** `must not be empty` becomes `Must not be empty.`, or the same in the language shown. */
export function sentence(problem: string): string {
  const said = t.problem(problem);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`;
}
