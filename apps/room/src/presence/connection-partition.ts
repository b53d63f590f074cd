/** Condition of a statement for the connections of the room $1, which are in one partition. */
export const OF_ROOM = `sid = $1 AND month = (SELECT connection_month(created_at) FROM rooms WHERE rooms.sid = $1)`;
