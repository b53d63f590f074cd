import * as protocol from '@livekit/protocol';
import { TwirpError } from './twirp-error.js';

type Json = Parameters<typeof protocol.Room.fromJson>[0];

interface MessageType {
  fromBinary(bytes: Uint8Array): { toJsonString(): string };
  fromJson(json: Json): { toBinary(): Uint8Array };
}

/** Request and answer of each method that our services send as protobuf. */
const METHODS: Record<string, readonly [MessageType, MessageType]> = {
  CreateRoom: [protocol.CreateRoomRequest, protocol.Room],
  ListRooms: [protocol.ListRoomsRequest, protocol.ListRoomsResponse],
  ListParticipants: [protocol.ListParticipantsRequest, protocol.ListParticipantsResponse],
  SendData: [protocol.SendDataRequest, protocol.SendDataResponse],
};

/** The request as JSON. */
export function fromProtobuf(method: string, body: Uint8Array): string {
  try {
    return typesOf(method)[0].fromBinary(body).toJsonString();
  } catch (error) {
    if (error instanceof TwirpError) throw error;
    throw new TwirpError('malformed', 'the protobuf request could not be decoded');
  }
}

export const toProtobuf = (method: string, answer: object): Uint8Array =>
  typesOf(method)[1]
    .fromJson(answer as Json)
    .toBinary();

function typesOf(method: string): readonly [MessageType, MessageType] {
  const types = METHODS[method];
  if (!types) throw new TwirpError('bad_route', `the simulation accepts ${method} only as JSON`);
  return types;
}
