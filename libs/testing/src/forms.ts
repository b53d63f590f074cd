/** Whether `npm run test:all` runs: then tests run in their long form. `npm test` runs the short one. */
export const isLongForm = process.env['TEST_FORM'] === 'long';

/** @returns the value for the form that runs, such as a number of rounds */
export const byForm = <T>(forms: { short: T; long: T }): T => (isLongForm ? forms.long : forms.short);

const leftOut = Object.assign(() => undefined, { each: () => () => undefined });

/**
 * @param it jest's `it` or `describe`
 * @returns it in the long form; in the short form a function that registers nothing
 */
export const inLongForm = <T extends object>(it: T): T => (isLongForm ? it : (leftOut as unknown as T));
