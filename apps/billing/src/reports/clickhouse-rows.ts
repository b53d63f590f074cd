import type { EventData, participantConnection } from '@classroom/contracts';

/** A row of ClickHouse's table `sessions`. Times are `YYYY-MM-DD hh:mm:ss.ffffff` in UTC. */
export interface ClickhouseSession {
  organization_id: string;
  uid: string;
  connection_sid: string;
  sid: string;
  name: string;
  role: string;
  ip: string | null;
  joined_at: string;
  left_at: string | null;
  version: number;
}

export function toClickhouseSession(connection: EventData<typeof participantConnection>): ClickhouseSession {
  const { organizationId, uid, connectionSid, sid, name, role, ip, joinedAt, leftAt, version } = connection;
  const times = { joined_at: toDateTime(joinedAt), left_at: leftAt === null ? null : toDateTime(leftAt) };
  return { organization_id: organizationId, uid, connection_sid: connectionSid, sid, name, role, ip, ...times, version };
}

const toDateTime = (timestamp: string) => new Date(timestamp).toISOString().replace('T', ' ').replace('Z', '');

/** Microseconds since 1970 as the milliseconds of a date. */
export const fromMicroseconds = (microseconds: number): Date => new Date(Math.floor(microseconds / 1_000));
export const toMicroseconds = (date: Date): number => date.getTime() * 1_000;
