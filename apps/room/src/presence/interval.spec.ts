import fc from 'fast-check';
import {
  applyAborted,
  applyJoined,
  applyLeft,
  applyList,
  applyMediaClosed,
  applyRoomEnd,
  withPlausibleJoin,
  type Bounds,
  type Interval,
} from './interval.js';
import type { Person } from '../livekit/livekit-person.js';

const LIVE: Bounds = { endedAt: null, verifiedAt: null };

const person = (connectionSid: string, uid: string, joinedAt: number): Person => ({
  connectionSid,
  uid,
  name: uid,
  role: 'STUDENT',
  ip: null,
  joinedAt,
});

/** The intervals of one room, as the repository would keep them. */
class Room {
  readonly intervals = new Map<string, Interval>();
  bounds: Bounds = LIVE;

  keep(changed: Interval[]): void {
    for (const interval of changed) this.intervals.set(interval.connectionSid, interval);
  }
  get all(): Interval[] {
    return [...this.intervals.values()];
  }
  of(sid: string): Interval | undefined {
    return this.intervals.get(sid);
  }
}

describe('presence', () => {
  it('opens with a join and closes finally with a leave', () => {
    const room = new Room();
    room.keep(applyJoined(room.all, person('c1', 'ada', 100), 'webhook', LIVE));
    room.keep(applyLeft(room.all, person('c1', 'ada', 100), 160, LIVE));
    expect(room.of('c1')).toMatchObject({ joinedAt: 100, leftAt: 160, openedBy: 'webhook', closedBy: 'webhook', isFinal: true });
    expect(applyJoined(room.all, person('c1', 'ada', 100), 'reconciler', LIVE)).toEqual([]);
  });

  it('starts at LiveKit’s event if the event has no joinedAt', () => {
    const unknown = withPlausibleJoin(person('c1', 'ada', 0), 1_160, 1_000);
    expect(applyLeft([], unknown, 1_160, LIVE)).toMatchObject([{ joinedAt: 1_160, leftAt: 1_160 }]);
    expect(withPlausibleJoin(person('c1', 'ada', 0), 0, 1_000)).toMatchObject({ joinedAt: 1_000 });
    expect(withPlausibleJoin(person('c1', 'ada', 1_100), 1_160, 1_000)).toMatchObject({ joinedAt: 1_100 });
  });

  it('makes an interval from a leave alone, and a late join does not open it', () => {
    const room = new Room();
    room.keep(applyLeft([], person('c1', 'ada', 100), 160, LIVE));
    expect(room.of('c1')).toMatchObject({ joinedAt: 100, leftAt: 160 });
    room.keep(applyJoined(room.all, person('c1', 'ada', 100), 'webhook', LIVE));
    expect(room.of('c1')?.leftAt).toBe(160);
  });

  it('never ends before it began, even if seconds were rounded', () => {
    expect(applyLeft([], person('c1', 'ada', 100), 99, LIVE)[0]).toMatchObject({ joinedAt: 100, leftAt: 100 });
  });

  it('stays as the end of the class closed it, unless it ended before', () => {
    const room = new Room();
    for (const uid of ['ada', 'bob']) room.keep(applyJoined(room.all, person(uid, uid, 100), 'webhook', LIVE));
    room.bounds = { endedAt: 200, verifiedAt: null };
    room.keep(applyRoomEnd(room.all, 200, true, room.bounds));
    expect(applyLeft(room.all, person('ada', 'ada', 100), 201, room.bounds)).toEqual([]);
    expect(applyLeft(room.all, person('bob', 'bob', 100), 190, room.bounds)).toMatchObject([{ connectionSid: 'bob', leftAt: 190 }]);
  });

  it('remembers an aborted connection without counting it', () => {
    const room = new Room();
    room.keep(applyAborted([], person('c1', 'ada', 100), 130, LIVE));
    expect(room.of('c1')).toMatchObject({ isCounted: false, leftAt: 100 });
    expect(applyJoined(room.all, person('c1', 'ada', 100), 'webhook', LIVE)).toEqual([]);
  });

  it('ends the older connection of a uid at the last verified second, until the webhook gives the exact one', () => {
    const room = new Room();
    room.keep(applyJoined([], person('c1', 'ada', 100), 'webhook', room.bounds));
    room.bounds = { endedAt: null, verifiedAt: 140 };
    room.keep(applyJoined(room.all, person('c2', 'ada', 150), 'webhook', room.bounds));
    expect(room.of('c1')).toMatchObject({ leftAt: 140, isFinal: false });
    expect(room.of('c2')).toMatchObject({ leftAt: null });
    room.keep(applyLeft(room.all, person('c1', 'ada', 100), 150, room.bounds));
    expect(room.of('c1')).toMatchObject({ leftAt: 150, isFinal: true });
  });

  it('closes a connection missing from two lists at the last second it was listed, and reopens one that is listed again', () => {
    const room = new Room();
    room.keep(applyJoined([], person('c1', 'ada', 100), 'webhook', LIVE));
    const list = (takenAt: number, ...active: Person[]) => ({
      active,
      listed: new Set(active.map(({ connectionSid }) => connectionSid)),
      takenAt,
    });
    room.bounds = { endedAt: null, verifiedAt: 115 };
    room.keep(applyList(room.all, list(130), room.bounds));
    expect(room.of('c1')).toMatchObject({ leftAt: null, missingSince: 115 });
    room.keep(applyList(room.all, list(145), room.bounds));
    expect(room.of('c1')).toMatchObject({ leftAt: 115, closedBy: 'reconciler', isFinal: false });
    room.keep(applyList(room.all, list(160, person('c1', 'ada', 100)), room.bounds));
    expect(room.of('c1')).toMatchObject({ leftAt: null, missingSince: null });
  });

  it('ignores a list that was taken before a participant joined', () => {
    const open = applyJoined([], person('c1', 'ada', 129), 'webhook', LIVE);
    expect(applyList(open, { active: [], listed: new Set(), takenAt: 130 }, LIVE)).toEqual([]);
  });

  it('charges nothing for a connection whose join arrives after a list without it, if the next list lacks it too', () => {
    const verified: Bounds = { endedAt: null, verifiedAt: 115 };
    const open = applyJoined([], person('c1', 'ada', 100), 'webhook', verified);
    expect(open[0]).toMatchObject({ leftAt: null, missingSince: 100 });
    expect(applyList(open, { active: [], listed: new Set(), takenAt: 130 }, verified)[0]).toMatchObject({ leftAt: 100 });
  });

  it('ends connections when LiveKit closes the room, except those made later', () => {
    const open = [
      ...applyJoined([], person('c1', 'ada', 100), 'webhook', LIVE),
      ...applyJoined([], person('c2', 'bob', 205), 'webhook', LIVE),
    ];
    expect(applyMediaClosed(open, 200, LIVE)).toMatchObject([{ connectionSid: 'c1', leftAt: 200, isFinal: false }]);
  });

  it('ends all connections with the class, and without verification at the last verified second', () => {
    const open = applyJoined([], person('c1', 'ada', 100), 'webhook', LIVE);
    expect(applyRoomEnd(open, 300, true, LIVE)[0]).toMatchObject({ leftAt: 300, closedBy: 'room_end' });
    expect(applyRoomEnd(open, 300, false, { endedAt: null, verifiedAt: 160 })[0]).toMatchObject({ leftAt: 160 });
  });

  it('does not count a list as evidence of a participant who joined within a second before it', () => {
    const open = applyJoined([], person('c1', 'ada', 159), 'webhook', LIVE);
    expect(applyRoomEnd(open, 300, false, { endedAt: null, verifiedAt: 160 })[0]).toMatchObject({ leftAt: 159 });
  });

  it('limits intervals learned after the end of the class to that end', () => {
    const ended: Bounds = { endedAt: 300, verifiedAt: 290 };
    expect(applyLeft([], person('c1', 'ada', 100), 320, ended)[0]).toMatchObject({ leftAt: 300, isFinal: true });
    const late = applyJoined([], person('c2', 'bob', 250), 'webhook', ended);
    expect(late[0]).toMatchObject({ leftAt: 250, isFinal: false });
    expect(applyLeft(late, person('c2', 'bob', 250), 280, ended)[0]).toMatchObject({ leftAt: 280, isFinal: true });
    expect(applyJoined([], person('c3', 'eve', 310), 'webhook', ended)).toEqual([]);
    expect(applyLeft([], person('c3', 'eve', 310), 320, ended)).toEqual([]);
  });

  /** True connections of two uids; those of one uid follow each other. */
  const truth = fc
    .array(fc.record({ uid: fc.constantFrom('ada', 'bob'), gap: fc.integer({ min: 1, max: 50 }), stay: fc.integer({ min: 0, max: 90 }) }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((stays) => {
      const clocks = new Map<string, number>();
      return stays.map(({ uid, gap, stay }, index) => {
        const joinedAt = (clocks.get(uid) ?? 1000) + gap;
        clocks.set(uid, joinedAt + stay);
        return { person: person(`c${index}`, uid, joinedAt), leftAt: joinedAt + stay };
      });
    });

  it('is exact for any order and repetition of webhooks', () => {
    fc.assert(
      fc.property(truth, fc.infiniteStream(fc.nat()), (lives, dice) => {
        const events = lives.flatMap(({ person: who, leftAt }) => [
          (room: Room) => applyJoined(room.all, who, 'webhook', LIVE),
          (room: Room) => applyLeft(room.all, who, leftAt, LIVE),
          (room: Room) => applyLeft(room.all, who, leftAt, LIVE),
          (room: Room) => applyJoined(room.all, who, 'webhook', LIVE),
        ]);
        const room = new Room();
        while (events.length > 0) {
          const [event] = events.splice((dice.next().value ?? 0) % events.length, 1);
          if (event) room.keep(event(room));
        }
        for (const { person: who, leftAt } of lives) {
          expect(room.of(who.connectionSid)).toMatchObject({ joinedAt: who.joinedAt, leftAt, isFinal: true });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('closes all connections from lists alone if every leave is lost, never later than they were last listed', () => {
    fc.assert(
      fc.property(truth, (lives) => {
        const room = new Room();
        const end = Math.max(...lives.map(({ leftAt }) => leftAt));
        for (let now = 1000; now <= end + 45; now += 15) {
          for (const { person: who } of lives) {
            if (who.joinedAt > now - 15 && who.joinedAt <= now) room.keep(applyJoined(room.all, who, 'webhook', room.bounds));
          }
          const active = lives.filter(({ person: who, leftAt }) => who.joinedAt <= now && leftAt > now).map(({ person: who }) => who);
          const listed = new Set(active.map(({ connectionSid }) => connectionSid));
          room.keep(applyList(room.all, { active, listed, takenAt: now }, room.bounds));
          room.bounds = { endedAt: null, verifiedAt: now };
        }
        for (const { person: who, leftAt } of lives) {
          const interval = room.of(who.connectionSid);
          expect(interval?.leftAt).not.toBeNull();
          expect(interval?.leftAt ?? 0).toBeLessThanOrEqual(Math.max(leftAt, who.joinedAt));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps at most one open connection for a uid', () => {
    fc.assert(
      fc.property(truth, fc.infiniteStream(fc.nat()), (lives, dice) => {
        const room = new Room();
        const joins = lives.map(({ person: who }) => who);
        while (joins.length > 0) {
          const [who] = joins.splice((dice.next().value ?? 0) % joins.length, 1);
          if (who) room.keep(applyJoined(room.all, who, 'webhook', LIVE));
        }
        for (const uid of ['ada', 'bob']) {
          const open = room.all.filter((interval) => interval.uid === uid && interval.leftAt === null);
          expect(open.length).toBeLessThanOrEqual(1);
          const newest = Math.max(...room.all.filter((i) => i.uid === uid).map(({ joinedAt }) => joinedAt));
          if (open[0]) expect(open[0].joinedAt).toBe(newest);
        }
      }),
      { numRuns: 500 },
    );
  });
});
