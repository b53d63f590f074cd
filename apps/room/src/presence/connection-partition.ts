/** Condition of a statement for the connections of the room `sid`, a parameter: they are in one partition. */
export const ofRoom = (sid: string) => `sid = ${sid} AND month = (SELECT connection_month(created_at) FROM rooms WHERE rooms.sid = ${sid})`;

export const OF_ROOM = ofRoom('$1');
