/** Fields of a person next to their uid in events, with what replaces them. */
export const PERSONAL: Record<string, unknown> = { name: '', photoURL: null, ip: null };
/** Fields of events that contain a uid. */
export const UIDS: ReadonlySet<string> = new Set(['uid', 'studentUid', 'participantUid', 'removedBy', 'deletedBy', 'reportedBy']);
