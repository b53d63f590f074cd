/** Placeholder for an engine's id that is not known yet: the row of an attempt is written before the engine is called. */
export const PENDING_ENGINE_ID = '';
/** Follows the attempts of an erased recording: no report of an engine applies to it any more, and its late file is not accepted. */
export const ERASED_ENGINE_ID = 'erased';
