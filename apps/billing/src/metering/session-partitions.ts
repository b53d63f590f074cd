/**
 * Conditions that limit a statement about sessions to the partitions in which a room's sessions can be. A room's sessions begin between
 * the start and the end of its class, as its meter knows them. A day more on both sides costs nothing.
 * @param meter alias of the meter in the statement
 */
export const monthsOf = (meter: string) =>
  `month BETWEEN session_month(coalesce(${meter}.started_at, '-infinity') - interval '1 day') AND session_month(coalesce(${meter}.ended_at, 'infinity') + interval '1 day')`;

/** The same for a statement about the room $1, without a meter. */
export const MONTHS_OF_ROOM = `month >= coalesce((SELECT session_month(started_at - interval '1 day') FROM room_meters WHERE room_meters.sid = $1), '1970-01-01')`;
