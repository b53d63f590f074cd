/** The parts of a class's shared state, each with a column `<part>_version` of its room. */
export const CLASS_PARTS = ['hands', 'speakers', 'chat', 'polls', 'reactions', 'removals', 'details', 'recording', 'waiting'] as const;
export type ClassPart = (typeof CLASS_PARTS)[number];
