import { randomInt } from 'node:crypto';
import { columnsOf } from '@classroom/persistence';
import { RoomEntity } from '../schema/room.entity.js';

/** Columns that only a few statements need. */
const RARELY_READ = [
  'metadata',
  'scheduleDueAt',
  'endNoticed',
  'idempotencyKey',
  'classVersion',
  'handsVersion',
  'speakersVersion',
  'chatVersion',
  'pollsVersion',
  'reactionsVersion',
  'removalsVersion',
  'detailsVersion',
  'recordingVersion',
  'waitingVersion',
  'finishedAt',
] as const;

/** A room as requests read it. */
export type Room = Omit<RoomEntity, (typeof RARELY_READ)[number]>;
export const ROOM_COLUMNS = columnsOf(RoomEntity, { except: RARELY_READ });

/** What LiveKit's room and the fact about a new room are made of. */
export type CreatingRoom = Pick<Room, 'sid' | 'organizationId' | 'roomId' | 'title' | 'createdAt' | 'settings'>;

/** How events identify a room. */
export const toEventRoom = ({ organizationId, sid, roomId }: Pick<Room, 'organizationId' | 'sid' | 'roomId'>) => ({
  organizationId,
  sid,
  roomId,
});

/** A room's state in the public API: a room that is being created counts as created. */
export const stateOf = ({ state }: Pick<Room, 'state'>) => (state === 'finished' || state === 'live' ? state : 'created');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_LENGTH = 14;

/** `RM_`, the installation's `CELL` and 14 random letters or digits (83 bits): our permanent id of a room, and its name in LiveKit. */
export const newRoomSid = (cell: string) =>
  `RM_${cell}${Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
