/** A time of day with seconds, in the browser's language: sessions are short. */
const format = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export const clockTime = (time: Date): string => format.format(time);
