import type { NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  billingRpc,
  classroomRpc,
  documentRpc,
  getOrganization,
  NO_CONSENT_ASKED,
  quotasOf,
  retentionOf,
  roomRpc,
  type ClassroomCaller,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';

type Room = RpcOutput<typeof roomRpc.describe> & { organizationId: string };

/** The services that the AI service calls, by their contracts. A test sets their answers. */
export class PeerServices {
  readonly rooms = new Map<string, Room>();
  /** Students' names by sid. A class without an entry has no names. */
  readonly names = new Map<string, string[]>();
  /** Pages of documents by roomId. */
  readonly documents = new Map<string, RpcOutput<typeof documentRpc.texts>['pages']>();
  readonly exhausted = new Set<string>();
  readonly teachers = new Set<string>();
  isBillingUnreachable = false;
  areNamesUnavailable = false;

  constructor(private readonly connection: NatsConnection) {
    this.answer(getOrganization, ({ organizationId }) => {
      const at = new Date().toISOString();
      const branding = { logoUrl: null, primaryColor: null, accentColor: null };
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
    this.answer(billingRpc.creditStatus, ({ organizationId }) => {
      if (this.isBillingUnreachable) throw new AppError('SERVICE_UNAVAILABLE');
      return { isOverconsumed: false, isExhausted: this.exhausted.has(organizationId) };
    });
    this.answer(roomRpc.describe, ({ organizationId, roomId }) => {
      const room = this.rooms.get(roomId);
      if (room?.organizationId !== organizationId) throw new AppError('ROOM_NOT_FOUND');
      return room;
    });
    this.answer(roomRpc.studentNames, ({ sid }) => {
      if (this.areNamesUnavailable) throw new AppError('SERVICE_UNAVAILABLE');
      return { names: this.names.get(sid) ?? [], isComplete: true };
    });
    this.answer(documentRpc.texts, ({ roomId }) => ({ pages: this.documents.get(roomId) ?? [] }));
    this.answer(classroomRpc.authorize, ({ caller, permission }) => {
      const room = [...this.rooms.values()].find(({ sid }) => sid === caller.sid);
      if (!room) throw new AppError('UNAUTHORIZED');
      if (permission && !this.teachers.has(caller.uid)) throw new AppError('FORBIDDEN');
      return { organizationId: room.organizationId, roomId: room.roomId, mayUseAi: true, name: `Name of ${caller.uid}` };
    });
  }

  room(organizationId: string, overrides: Partial<Room> = {}): Room {
    const number = String(this.rooms.size + 1).padStart(16, '0');
    const room: Room = {
      organizationId,
      sid: `RM_${number}`,
      roomId: `room-${number}`,
      title: 'Biology 8b',
      state: 'live',
      startedAt: new Date(Date.now() - 600_000).toISOString(),
      endedAt: null,
      roomDescription: 'How plants live.',
      metadata: { grade: 8 },
      settings: { maxParticipants: 30, emptyTimeout: 300 },
      teachers: ['Ms Teacher'],
      mayUseAi: true,
      isAttendanceEvaluated: false,
      ...overrides,
    };
    this.rooms.set(room.roomId, room);
    return room;
  }

  caller({ organizationId, sid }: Room, uid: string): ClassroomCaller {
    return { sid, uid, organizationId, sessionNumber: 1, issuedAt: Date.now() };
  }

  private answer<C extends RpcContract>(contract: C, handle: (input: RpcInput<C>) => RpcOutput<C>): void {
    this.connection.subscribe(contract.subject, {
      callback: (_error, message) => {
        try {
          message.respond(JSON.stringify({ data: handle(message.json<RpcInput<C>>()) }));
        } catch (error) {
          message.respond(JSON.stringify({ error: (error as AppError).toReply() }));
        }
      },
    });
  }
}
