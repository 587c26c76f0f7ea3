/** Ignores `toJSON`, which old libraries such as Prototype.js 1.6 define for arrays and strings. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key: string) {
    return this[key];
  });
