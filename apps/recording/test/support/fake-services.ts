import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  getOrganization,
  NO_CONSENT_ASKED,
  organizationRpc,
  quotasOf,
  retentionOf,
  roomRpc,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';

export interface FakeRoom {
  organizationId: string;
  sid: string;
  roomId: string;
  title: string;
  state: 'created' | 'live' | 'finished';
  endedAt: string | null;
}

/** The services that the recording service calls, answered by their contracts. A test sets their state. */
export class FakeServices {
  /** Every state of a recording that the room service was notified of, in order. */
  readonly notes: RpcInput<typeof roomRpc.noteRecording>[] = [];
  /** Logos by organization id. */
  readonly logos = new Map<string, string>();
  /** What an answer about an organization waits for, by its id. */
  readonly waits = new Map<string, () => Promise<unknown>>();
  /** Every organization that was asked about, in order. */
  readonly asked: string[] = [];
  /** Hours for which organizations keep recordings, by organization id. */
  readonly hours = new Map<string, number>();
  /** When people were connected, by uid. */
  readonly stays = new Map<string, RpcOutput<typeof roomRpc.stays>['stays']>();
  /** Services that answer SERVICE_UNAVAILABLE. */
  readonly unreachable = new Set<RpcContract['service']>();
  private readonly rooms = new Map<string, FakeRoom>();

  constructor(private readonly connection: NatsConnection) {
    this.answer(roomRpc.describe, ({ organizationId, roomId }) => {
      const room = this.rooms.get(roomId);
      if (room?.organizationId !== organizationId) throw new AppError('ROOM_NOT_FOUND');
      const { sid, title, state, endedAt } = room;
      const tutoring = {
        roomDescription: null,
        metadata: null,
        settings: null,
        teachers: [],
        mayUseAi: true,
        isAttendanceEvaluated: false,
      };
      return { sid, roomId, title, state, startedAt: null, endedAt, ...tutoring };
    });
    this.answer(roomRpc.stays, ({ uid, after: [after = '0'], limit }) => {
      const stays = this.stays.get(uid) ?? [];
      const end = Number(after) + limit;
      return { stays: stays.slice(Number(after), end), next: end < stays.length ? [String(end)] : null };
    });
    this.answer(roomRpc.noteRecording, (note) => {
      this.notes.push(note);
      return { isLive: [...this.rooms.values()].some(({ sid, state }) => sid === note.sid && state !== 'finished') };
    });
    this.answer(getOrganization, async ({ organizationId }) => {
      this.asked.push(organizationId);
      await this.waits.get(organizationId)?.();
      const at = new Date().toISOString();
      const branding = { logoUrl: this.logos.get(organizationId) ?? null, primaryColor: null, accentColor: null };
      const settings = {
        branding,
        retention: retentionOf(null),
        consent: NO_CONSENT_ASKED,
        attendance: null,
        quotas: quotasOf(null),
        joinHook: null,
      };
      return { organizationId, name: 'A school', billing: null, verifiedDomains: [], ...settings, createdAt: at, updatedAt: at };
    });
    this.answer(organizationRpc.retentions, () => ({
      organizations: [...this.hours].map(([organizationId, recordings]) => ({
        organizationId,
        retention: retentionOf({ recordings }),
        set: ['recordings'],
      })),
    }));
  }

  addRoom(overrides: Partial<FakeRoom> = {}): FakeRoom {
    const sid = `RM_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const room: FakeRoom = {
      organizationId: `org_${randomUUID()}`,
      sid,
      roomId: `room-of-${sid}`,
      title: 'Algebra I',
      state: 'live',
      endedAt: null,
      ...overrides,
    };
    this.rooms.set(room.roomId, room);
    return room;
  }

  private answer<C extends RpcContract>(contract: C, handle: (input: RpcInput<C>) => RpcOutput<C> | Promise<RpcOutput<C>>): void {
    this.connection.subscribe(contract.subject, {
      callback: (_error, message) => {
        const answered = async () => {
          if (this.unreachable.has(contract.service)) throw new AppError('SERVICE_UNAVAILABLE');
          return handle(message.json<RpcInput<C>>());
        };
        void answered().then(
          (data) => message.respond(JSON.stringify({ data })),
          (error: AppError) => message.respond(JSON.stringify({ error: error.toReply() })),
        );
      },
    });
  }
}
