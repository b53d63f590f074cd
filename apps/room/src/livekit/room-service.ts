import { randomBytes } from 'node:crypto';
import {
  CreateRoomRequest,
  DataPacket_Kind,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  SendDataRequest,
  type ParticipantInfo,
  type Room,
} from '@livekit/protocol';
import { AccessToken, ServerError, type VideoGrant } from 'livekit-server-sdk';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';

/** Seconds. A token is used for half of its validity. */
const TOKEN_TTL_S = 600;
/** Tokens kept at most: one for each room that is called often. */
const MOST_TOKENS = 10_000;
const NONCE_BYTES = 16;

interface Call {
  method: string;
  request: { toBinary(): Uint8Array };
  grant: VideoGrant;
  /** Milliseconds. */
  timeout: number;
}

/**
 * The frequent calls of LiveKit's RoomService, with less work than the SDK's client: protobuf instead of JSON, connections that stay open, and
 * tokens that are signed once in five minutes. Timeouts are in milliseconds.
 * @throws ServerError for an answer that is not 200, as the SDK does; another error if there is no answer
 */
export class RoomService {
  private readonly pool: Pool;
  private readonly tokens = new LRUCache<string, Promise<string>>({ ...atMost(MOST_TOKENS), ttl: (TOKEN_TTL_S * 1000) / 2 });

  constructor(
    url: string,
    private readonly apiKey: string,
    private readonly apiSecret: string,
  ) {
    this.pool = new Pool(new URL(url.replace(/^ws/, 'http')).origin);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  async createRoom(request: ConstructorParameters<typeof CreateRoomRequest>[0], timeout: number): Promise<void> {
    await this.call({ method: 'CreateRoom', request: new CreateRoomRequest(request), grant: { roomCreate: true }, timeout });
  }

  /** @param names undefined: all rooms */
  async listRooms(names: string[] | undefined, timeout: number): Promise<Room[]> {
    const request = new ListRoomsRequest(names && { names });
    const body = await this.call({ method: 'ListRooms', request, grant: { roomList: true }, timeout });
    return ListRoomsResponse.fromBinary(body).rooms;
  }

  async listParticipants(room: string, timeout: number): Promise<ParticipantInfo[]> {
    const request = new ListParticipantsRequest({ room });
    const body = await this.call({ method: 'ListParticipants', request, grant: { roomAdmin: true, room }, timeout });
    return ListParticipantsResponse.fromBinary(body).participants;
  }

  /** Sends to every connected participant, reliably and in order. */
  async sendData(room: string, topic: string, data: Uint8Array, timeout: number): Promise<void> {
    const request = new SendDataRequest({ room, topic, data, kind: DataPacket_Kind.RELIABLE, nonce: randomBytes(NONCE_BYTES) });
    await this.call({ method: 'SendData', request, grant: { roomAdmin: true, room }, timeout });
  }

  private async call({ method, request, grant, timeout }: Call): Promise<Uint8Array> {
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: `/twirp/livekit.RoomService/${method}`,
      headers: { 'content-type': 'application/protobuf', authorization: `Bearer ${await this.token(grant)}` },
      body: request.toBinary(),
      signal: AbortSignal.timeout(timeout),
    });
    if (statusCode === 200) return new Uint8Array(await body.arrayBuffer());
    // The clock may have jumped past the token's expiry.
    if (statusCode === 401) this.tokens.clear();
    throw refusal(statusCode, await body.text());
  }

  private token(grant: VideoGrant): Promise<string> {
    const key = JSON.stringify(grant);
    const kept = this.tokens.get(key);
    if (kept) return kept;
    const token = new AccessToken(this.apiKey, this.apiSecret, { ttl: TOKEN_TTL_S });
    token.addGrant(grant);
    const signed = token.toJwt();
    this.tokens.set(key, signed);
    return signed;
  }
}

function refusal(status: number, text: string): ServerError {
  const error = parse(text);
  return new ServerError('LiveKit', error?.msg ?? text, status, error?.code);
}

/** An error of Twirp is JSON; the answer of a proxy is any text. */
function parse(text: string): { code?: string; msg?: string } | null {
  try {
    return JSON.parse(text) as { code?: string; msg?: string };
  } catch {
    return null;
  }
}
