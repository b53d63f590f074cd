/**
 * SQL condition: the class contains something of the person. `room`: alias of a row of `rooms`; `uid`: a parameter. Participants who entered with a
 * LiveKit token of the school's own have connections only.
 */
export const classOfPerson = (room: string, uid: string) =>
  `(${room}.sid IN (SELECT sid FROM participants WHERE uid = ${uid} UNION ALL SELECT sid FROM roster_entries WHERE uid = ${uid})
    OR EXISTS (SELECT FROM connections_by_month c WHERE c.sid = ${room}.sid AND c.uid = ${uid} AND c.month = connection_month(${room}.created_at)))`;
