import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, newRoom, type ApiClient } from '@classroom/testing';
import type { ScaleStack } from './stack.ts';

const CALLERS = 16;
/** People who connect in one call to the simulated LiveKit. */
const CONNECTED_AT_ONCE = 100;
const SECOND = 1_000;

export interface Classroom {
  api: ApiClient;
  roomId: string;
  sid: string;
}

/** The classes and the people in them. */
export class Crowd {
  readonly rooms: Classroom[] = [];
  private readonly stack: ScaleStack;
  private people = 0;

  constructor(stack: ScaleStack) {
    this.stack = stack;
  }

  async open(rooms: number): Promise<void> {
    const { apis } = this.stack;
    await inParallel(rooms, async (n) => {
      const api = apis[n % apis.length] as ApiClient;
      const { roomId, sid } = await newRoom(api, { settings: { maxParticipants: 1_000 } });
      this.rooms.push({ api, roomId, sid });
    });
  }

  /**
   * Connects people, distributed evenly over the rooms.
   * @param overMs milliseconds over which they arrive at a constant rate; 0: as fast as LiveKit takes them
   */
  async arrive(people: number, overMs: number): Promise<void> {
    const began = performance.now();
    for (let done = 0; done < people;) {
      const due = overMs === 0 ? people : Math.ceil((people * (performance.now() - began)) / overMs);
      const count = Math.min(CONNECTED_AT_ONCE, Math.min(due, people) - done);
      if (count > 0) await this.connect(count);
      else await sleep(SECOND / 100);
      done += Math.max(count, 0);
    }
  }

  /** Ends all classes by requests of their schools. @returns when each ended, in milliseconds since 1970, by sid */
  async end(): Promise<Map<string, number>> {
    const ends = new Map<string, number>();
    await inParallel(this.rooms.length, async (n) => {
      const { api, roomId, sid } = this.rooms[n] as Classroom;
      // After a 503 a caller repeats its request.
      const endedAt = await eventually(async () => {
        const { status, body, text } = await api.delete(`/v1/room/${roomId}`);
        if (status !== 200) throw new Error(`the end of ${roomId} was answered ${status}: ${text}`);
        return body.data.endedAt as string;
      });
      ends.set(sid, Date.parse(endedAt));
    });
    return ends;
  }

  private async connect(count: number): Promise<void> {
    const { rooms } = this;
    const joiners = Array.from({ length: count }, () => {
      const n = this.people++;
      const identity = `uid-${n}`;
      return { room: (rooms[n % rooms.length] as Classroom).sid, identity, name: identity, attributes: { role: 'STUDENT' } };
    });
    await this.stack.livekit.connectMany(joiners);
  }
}

/** Calls `work` for 0 to `count` - 1, 16 at a time. */
export async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
