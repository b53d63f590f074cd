/** In place of an engine's id that is not known yet: the attempt counts from before it is asked for. */
export const NOT_YET = '';
