import type { Body, VirtualClassroom } from '@virtual-classroom/sdk';
import { CommandError } from '../io.js';
import { inParallel } from '../robots/in-parallel.js';
import type { SandboxClient } from './sandbox-client.js';

const WAIT_MS = 30_000;
const POLL_MS = 50;

export type Role = Body<'joinRoom'>['participant']['role'];

export interface Robot {
  uid: string;
  /** Id of the connection. */
  connection: string;
  /** Token with which the robot joined; also opens a session of the class page. */
  token: string;
}

/** Resolves when the API reports so many participants. @throws CommandError after 30 s */
async function until(client: VirtualClassroom, roomId: string, count: number): Promise<void> {
  for (const endsAt = Date.now() + WAIT_MS; ;) {
    const { participantCount = 0 } = (await client.rooms.status(roomId)) as { participantCount?: number };
    if (participantCount === count) return;
    if (Date.now() > endsAt)
      throw new CommandError(`${participantCount} instead of ${count} participants are in ${roomId}`, 'See the logs of gateway and room.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Robots in one class: each has its own join, its own connection and its own seconds. */
export class ClassOfRobots {
  private readonly present = new Set<Robot>();

  /** @param others how many others are in the class and stay */
  constructor(
    private readonly client: VirtualClassroom,
    private readonly sandbox: SandboxClient,
    readonly roomId: string,
    private readonly others = 0,
  ) {}

  /** Robots with these uids join. @param tokens of participants who have one already */
  async join(
    uids: readonly string[],
    { tokens = {}, role = 'STUDENT' }: { tokens?: Record<string, string>; role?: Role } = {},
  ): Promise<Robot[]> {
    const joining = await inParallel(uids, async (uid) => {
      const participant = { uid, name: `Robot ${uid}`, role };
      return { uid, token: tokens[uid] ?? (await this.client.rooms.join(this.roomId, { participant })).token };
    });
    const connections = await this.sandbox.join(joining.map(({ token }) => token));
    const robots = joining.map((robot, n) => ({ ...robot, connection: connections[n] ?? '' }));
    for (const robot of robots) this.present.add(robot);
    await until(this.client, this.roomId, this.others + this.present.size);
    return robots;
  }

  async leave(robots: readonly Robot[]): Promise<void> {
    await this.sandbox.leave(robots.map(({ connection }) => connection));
    for (const robot of robots) this.present.delete(robot);
    await until(this.client, this.roomId, this.others + this.present.size);
  }
}
