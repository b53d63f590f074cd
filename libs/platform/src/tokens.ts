/** The process's configuration, typed by each app's own `config.ts`. */
export const CONFIG = Symbol('CONFIG');
