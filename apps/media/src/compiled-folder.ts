/** `dist`, for the bundle as for the modules that it is made of. */
export const COMPILED_FOLDER = __dirname;
