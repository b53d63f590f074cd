import type { Body, Query } from '../operation.js';
import { Pages } from '../pages.js';
import type { RequestOptions, Transport } from '../transport.js';

/** Classes: made, joined, looked at, changed and ended. */
export class Rooms {
  readonly participants: RoomParticipants;

  constructor(private readonly api: Transport) {
    this.participants = new RoomParticipants(api);
  }

  /** Makes a room and its first participant's token. A `roomId` can be used once, for ever. */
  create = (room: Body<'createRoom'>, options?: RequestOptions) => this.api.call('createRoom', { body: room }, options);

  /** A token and a link for one more person. */
  join = (roomId: string, person: Body<'joinRoom'>, options?: RequestOptions) =>
    this.api.call('joinRoom', { params: { roomId }, body: person }, options);

  /** Whether there is such a room, and who is in it. */
  status = (roomId: string, options?: RequestOptions) => this.api.call('getRoomStatus', { params: { roomId } }, options);

  /** All rooms that fit, newest first. */
  list = (query: Query<'listRooms'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listRooms', { query: { ...query, cursor } }, options), ({ rooms }) => rooms, ({ nextCursor }) => nextCursor);

  /** Title, description, limits; what is left out stays. */
  change = (roomId: string, changes: Body<'changeRoom'>, options?: RequestOptions) =>
    this.api.call('changeRoom', { params: { roomId }, body: changes }, options);

  /** Ends the class; everybody is disconnected. */
  end = (roomId: string, options?: RequestOptions) => this.api.call('deleteRoom', { params: { roomId } }, options);

  /** The polls of a class with who voted what. */
  polls = (roomId: string, options?: RequestOptions) => this.api.call('listRoomPolls', { params: { roomId } }, options);

  /** Tells the tutor what the class is about; null takes away what it was told. */
  setContext = (roomId: string, context: Body<'setRoomContext'>, options?: RequestOptions) =>
    this.api.call('setRoomContext', { params: { roomId }, body: context }, options);

  /** Who was there, how long. */
  attendance = (roomId: string, options?: RequestOptions) => this.api.call('getAttendance', { params: { roomId } }, options);

  /** The same as a CSV file. */
  attendanceCsv = (roomId: string, options?: RequestOptions) =>
    this.api.csv('getAttendance', { params: { roomId }, query: { export: 'csv' } }, options);

  /** What the class came to, in people, time and credits. */
  summary = (roomId: string, options?: RequestOptions) => this.api.call('getRoomSummary', { params: { roomId } }, options);
}

/** The people of a room. */
export class RoomParticipants {
  constructor(private readonly api: Transport) {}

  /** All who were let in, by uid, with who is there now. */
  list = (roomId: string, query: Query<'listParticipants'> = {}, options?: RequestOptions) =>
    new Pages(
      (cursor = query.cursor) => this.api.call('listParticipants', { params: { roomId }, query: { ...query, cursor } }, options),
      ({ participants }) => participants,
      ({ nextCursor }) => nextCursor,
    );

  /** Puts somebody out until they are joined again. */
  remove = (roomId: string, uid: string, options?: RequestOptions) => this.api.call('removeRoomParticipant', { params: { roomId, uid } }, options);

  /** The microphone, unless told otherwise. */
  mute = (roomId: string, uid: string, what: Body<'muteRoomParticipant'> = {}, options?: RequestOptions) =>
    this.api.call('muteRoomParticipant', { params: { roomId, uid }, body: what }, options);

  /** Holds at once, whatever the person's token says. */
  changeRole = (roomId: string, uid: string, change: Body<'changeParticipantRole'>, options?: RequestOptions) =>
    this.api.call('changeParticipantRole', { params: { roomId, uid }, body: change }, options);
}
