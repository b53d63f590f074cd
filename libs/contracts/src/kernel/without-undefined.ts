/** The fields that are set: null is a value, and undefined is none. */
export const withoutUndefined = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined));
