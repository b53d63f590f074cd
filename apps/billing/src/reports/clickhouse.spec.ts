import { fromMicroseconds, toClickhouseSession, toMicroseconds } from './clickhouse.js';

const CONNECTION = {
  organizationId: 'org_a',
  sid: 'RM_a',
  roomId: 'algebra',
  connectionSid: 'PA_a',
  uid: 'ada',
  name: 'Ada',
  role: 'STUDENT',
  ip: null,
  joinedAt: '2026-03-02T12:00:00.125Z',
  leftAt: null,
  openedBy: 'webhook',
  closedBy: null,
  version: 3,
} as const;

describe('a session in ClickHouse', () => {
  it('has the columns of the table, and times that ClickHouse reads without settings', () => {
    expect(toClickhouseSession(CONNECTION)).toEqual({
      organization_id: 'org_a',
      uid: 'ada',
      connection_sid: 'PA_a',
      sid: 'RM_a',
      name: 'Ada',
      role: 'STUDENT',
      ip: null,
      joined_at: '2026-03-02 12:00:00.125',
      left_at: null,
      version: 3,
    });
  });

  it('has times in UTC, whatever their offset was', () => {
    const moved = { ...CONNECTION, joinedAt: '2026-03-02T14:00:00+02:00', leftAt: '2026-03-02T12:00:01Z' };
    expect(toClickhouseSession(moved)).toMatchObject({ joined_at: '2026-03-02 12:00:00.000', left_at: '2026-03-02 12:00:01.000' });
  });

  it('is read with milliseconds, rounded down', () => {
    expect(fromMicroseconds(1_772_452_800_123_999)).toEqual(new Date('2026-03-02T12:00:00.123Z'));
    expect(toMicroseconds(new Date('2026-03-02T12:00:00.123Z'))).toBe(1_772_452_800_123_000);
  });
});
