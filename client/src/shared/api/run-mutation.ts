/** Data or error as a value. */
import { toAppError, type AppError } from './app-error';

export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: AppError };

export async function runMutation<Data>(run: Promise<{ data?: Data | null | undefined }>): Promise<Outcome<Data>> {
  try {
    const { data } = await run;
    if (data === null || data === undefined) throw new Error('The mutation returned no data.');
    return { ok: true, data };
  } catch (error) {
    return { ok: false, error: toAppError(error) };
  }
}
