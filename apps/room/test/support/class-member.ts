import {
  classroomRpc,
  getClassState,
  type ClassroomCaller,
  type ClassState,
  type ClassUpdate,
  type RoomSession,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import type { NewRoom, RoomFixture, Without } from './room-fixture.js';

/** A participant with a classroom session, who acts through the operations as the class page does. */
export class ClassMember {
  private connection: string | undefined;

  private constructor(
    private readonly fixture: RoomFixture,
    readonly room: NewRoom,
    readonly uid: string,
    readonly joinToken: string,
    readonly session: RoomSession,
    readonly caller: ClassroomCaller,
  ) {}

  /** Exchanges a join token for a session, as the gateway does for the page. */
  static async open(fixture: RoomFixture, room: NewRoom, uid: string, joinToken: string, clientAddress?: string): Promise<ClassMember> {
    const guest = await fixture.call(classroomRpc.authenticate, { bearer: joinToken, accept: 'participant' });
    const session = await fixture.call(classroomRpc.openSession, { caller: guest, ...(clientAddress && { clientAddress }) });
    const caller = await fixture.call(classroomRpc.authenticate, { bearer: session.classroomToken, accept: 'classroom' });
    return new ClassMember(fixture, room, uid, joinToken, session, caller);
  }

  /** LiveKit's id of this participant's connection. */
  get connectionSid(): string {
    if (!this.connection) throw new Error(`${this.uid} is not connected`);
    return this.connection;
  }

  /** Calls a classroom operation in this participant's name. */
  act<C extends RpcContract>(contract: C, input: Without<'caller', RpcRequest<C>>): Promise<RpcOutput<C>> {
    return this.fixture.call(contract, { caller: this.caller, ...input } as RpcRequest<C>);
  }

  /** Connects to LiveKit with the session's media token. */
  async connect(token = this.session.livekitToken): Promise<string> {
    this.connection = (await this.fixture.livekit.connect(token)).sid;
    return this.connection;
  }

  async leave(): Promise<void> {
    await this.fixture.livekit.leave(this.connectionSid);
  }

  /** Publishes a track; rejects if LiveKit does not permit it. */
  async publish(source: 'MICROPHONE' | 'CAMERA' | 'SCREEN_SHARE' = 'MICROPHONE'): Promise<string> {
    const type = source === 'MICROPHONE' ? 'AUDIO' : 'VIDEO';
    return (await this.fixture.livekit.publish(this.connectionSid, { name: source.toLowerCase(), type, source })).sid;
  }

  /** How LiveKit lists this participant; undefined if not connected. */
  async inLiveKit() {
    return (await this.fixture.admin.listParticipants(this.room.sid)).find(({ identity }) => identity === this.uid);
  }

  state(after = 0): Promise<ClassState> {
    return this.act(getClassState, { after });
  }

  /** The class updates that this participant has received over LiveKit. */
  updates(): Promise<ClassUpdate[]> {
    return this.fixture.updates(this.connectionSid);
  }
}
