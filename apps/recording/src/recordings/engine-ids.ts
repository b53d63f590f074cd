/** Placeholder for an engine's id that is not known yet: the row of an attempt is written before the engine is called. */
export const PENDING_ENGINE_ID = '';
