/** The configuration of the process, typed by each app's own `config.ts`. */
export const CONFIG = Symbol('CONFIG');
