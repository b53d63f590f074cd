import type { Faults } from './faults.js';
import { type Permission, toTwirpJson } from './messages.js';
import type { SimulatedNode } from './node.js';
import type { Participant, Room } from './room.js';
import type { Claims } from './tokens.js';
import { participantNotFound, permissionsDenied, remoteUnmuteDisabled, roomNotFound, TwirpError } from './twirp-error.js';

/** A request in JSON as the SDK sends it: lowerCamelCase, default values omitted. */
interface Request {
  name?: string;
  names?: string[];
  room?: string;
  identity?: string;
  metadata?: string;
  emptyTimeout?: number;
  departureTimeout?: number;
  maxParticipants?: number;
  attributes?: Record<string, string>;
  permission?: Partial<Permission>;
  trackSid?: string;
  muted?: boolean;
  topic?: string;
  data?: string;
  destinationIdentities?: string[];
}

type Method = (request: Request) => Promise<object>;
type Needs = 'roomCreate' | 'roomList' | 'roomAdmin';

/** The RoomService of 1.13.5 (pkg/service/roomservice.go), with `enable_psrpc_for_get_list_participants` on. */
export class RoomService {
  readonly #methods: Record<string, [Needs, Method]> = {
    CreateRoom: ['roomCreate', async (r) => (await this.node.createRoom(r.name ?? '', r)).toMessage()],
    DeleteRoom: ['roomCreate', async (r) => (await this.node.deleteRoom(r.room ?? ''), {})],
    ListRooms: ['roomList', async (r) => ({ rooms: this.#listRooms(r.names ?? []) })],
    ListParticipants: ['roomAdmin', async (r) => ({ participants: await this.#listParticipants(r.room ?? '') })],
    GetParticipant: ['roomAdmin', (r) => this.#getParticipant(r)],
    RemoveParticipant: ['roomAdmin', (r) => this.#removeParticipant(r)],
    MutePublishedTrack: ['roomAdmin', (r) => this.#mutePublishedTrack(r)],
    UpdateParticipant: ['roomAdmin', (r) => this.#updateParticipant(r)],
    UpdateSubscriptions: ['roomAdmin', async (r) => (await this.#onNode(r), {})],
    SendData: ['roomAdmin', (r) => this.#sendData(r)],
    UpdateRoomMetadata: ['roomAdmin', (r) => this.#updateRoomMetadata(r)],
  };
  #stale?: { rooms: Map<string, object>; participants: Map<string, object[]> };

  constructor(
    private readonly node: SimulatedNode,
    private readonly faults: Faults,
  ) {}

  async call(method: string, claims: Claims | undefined, body: string): Promise<object> {
    const [needs, run] = this.#methods[method] ?? [];
    if (!needs || !run) throw new TwirpError('bad_route', `no handler for path "/twirp/livekit.RoomService/${method}"`);
    const request = parse(body);
    const grant = claims?.video;
    // Every refusal is 401 `unauthenticated`; LiveKit never answers 403 (pkg/service/auth.go twirpAuthError).
    if (!grant?.[needs] || (needs === 'roomAdmin' && grant.room !== (request.room ?? ''))) throw permissionsDenied();
    return toTwirpJson(await run(request)) as object;
  }

  /** From now on lists return the current state, whatever changes. */
  freezeLists(): void {
    const rooms = new Map<string, object>();
    const participants = new Map<string, object[]>();
    for (const [name, room] of this.node.rooms) {
      rooms.set(name, room.toMessage());
      participants.set(name, toMessages(room.participants.values()));
    }
    this.#stale = { rooms, participants };
  }

  #listRooms(names: string[]): object[] {
    const stale = this.faults.lists.mode === 'stale' ? this.#stale?.rooms : undefined;
    const listed = (name: string) => stale?.get(name) ?? this.node.rooms.get(name)?.toMessage();
    const wanted = names.length > 0 ? names : [...(stale ?? this.node.rooms).keys()];
    return wanted.map(listed).filter((room) => room !== undefined);
  }

  async #listParticipants(name: string): Promise<object[]> {
    const { mode, source, rooms } = this.faults.lists;
    if (mode === 'unavailable' && (rooms.length === 0 || rooms.includes(name))) await this.node.noResponse();
    if (mode === 'stale') {
      const stale = this.#stale?.participants.get(name);
      if (stale) return stale;
    }
    if (source === 'redis') return toMessages(this.node.rooms.get(name)?.recorded.values() ?? []);
    return toMessages((await this.#placed(name)).participants.values());
  }

  async #getParticipant({ room, identity = '' }: Request): Promise<object> {
    if (this.faults.lists.mode === 'unavailable') await this.node.noResponse();
    const participant = (await this.#placed(room)).participants.get(identity);
    if (!participant) throw participantNotFound();
    return participant.toMessage();
  }

  async #removeParticipant(request: Request): Promise<object> {
    this.#assertRecorded(request);
    // No revocation: 1.13.5 does not read revokeTokenTs, so the token can be used to join again.
    this.node.connections.leave((await this.#onNode(request)).sid, 'PARTICIPANT_REMOVED');
    return {};
  }

  async #mutePublishedTrack(request: Request): Promise<object> {
    const participant = await this.#onNode(request);
    if (!request.muted) throw remoteUnmuteDisabled();
    const track = participant.tracks.get(request.trackSid ?? '');
    if (!track) return {};
    track.muted = true;
    participant.changed();
    return { track };
  }

  async #updateParticipant(request: Request): Promise<object> {
    this.#assertRecorded(request);
    const participant = await this.#onNode(request);
    participant.name = request.name || participant.name;
    participant.metadata = request.metadata || participant.metadata;
    for (const [key, value] of Object.entries(request.attributes ?? {})) {
      if (value === '') delete participant.attributes[key];
      else participant.attributes[key] = value;
    }
    // Permissions are replaced as a whole: what the request omits is false, not unchanged.
    if (request.permission) participant.permission = { ...nothingAllowed, ...request.permission };
    if (request.permission)
      for (const [sid, { source }] of participant.tracks) if (!participant.canPublishSource(source)) participant.tracks.delete(sid);
    participant.changed();
    return participant.toMessage();
  }

  async #sendData({ room, topic = '', data = '', destinationIdentities = [] }: Request): Promise<object> {
    this.node.connections.send(await this.#placed(room), { topic, data }, destinationIdentities);
    return {};
  }

  async #updateRoomMetadata({ room: name = '', metadata = '' }: Request): Promise<object> {
    if (!this.node.rooms.has(name)) throw roomNotFound();
    const room = await this.#placed(name);
    room.metadata = metadata;
    room.changed(true);
    return room.toMessage();
  }

  /** These methods read Redis first, so an unknown room or participant is an immediate 404. */
  #assertRecorded({ room = '', identity = '' }: Request): void {
    if (!this.node.rooms.get(room)?.recorded.has(identity)) throw participantNotFound();
  }

  /** A psrpc request to the room. If the room does not exist or its node died, no process answers, and the request fails after 3 s. */
  async #placed(name = ''): Promise<Room> {
    const room = this.node.rooms.get(name);
    return room?.isPlaced ? room : this.node.noResponse();
  }

  async #onNode({ room, identity = '' }: Request): Promise<Participant> {
    return this.node.rooms.get(room ?? '')?.participants.get(identity) ?? this.node.noResponse();
  }
}

const nothingAllowed: Permission = {
  canSubscribe: false,
  canPublish: false,
  canPublishData: false,
  canPublishSources: [],
  hidden: false,
  recorder: false,
  canUpdateMetadata: false,
  agent: false,
  canSubscribeMetrics: false,
  canManageAgentSession: false,
};

function toMessages(participants: Iterable<Participant>): object[] {
  return Array.from(participants, (participant) => participant.toMessage());
}

function parse(body: string): Request {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as Request;
  } catch {
    // Falls through to the same answer as for a value that is not an object.
  }
  throw new TwirpError('malformed', 'the json request could not be decoded');
}
