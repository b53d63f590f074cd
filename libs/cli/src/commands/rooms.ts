import type { Body, Query, VirtualClassroom } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, type Extent, group, paged, pageSize, parseCount, parseTime, type Role, ROLES, take } from './declare.js';

interface Person {
  name: string;
  uid?: string;
  role: Role;
}

type Settings = Pick<NonNullable<Body<'createRoom'>['settings']>, 'maxParticipants' | 'startsAt' | 'endsAt' | 'autoRecord'>;

interface NewRoom extends Person, Settings {
  title?: string;
  preset?: string;
}

/** Adds the options of a room's settings. */
const withSettings = (command: Command): Command =>
  command
    .option('--max-participants <count>', 'how many people may be in the class', parseCount)
    .option('--starts-at <time>', 'when the class begins', (text) => parseTime(text))
    .option('--ends-at <time>', 'when the class ends', (text) => parseTime(text))
    .option('--auto-record', 'record from the first participant on');

/** @returns the settings that were given, as a part of the body */
function settingsOf({ maxParticipants, startsAt, endsAt, autoRecord }: Settings): { settings?: Settings } {
  const given = Object.entries({ maxParticipants, startsAt, endsAt, autoRecord }).filter(([, value]) => value !== undefined);
  return given.length > 0 ? { settings: Object.fromEntries(given) } : {};
}

/** Ids are made of a name: "Ada Lovelace" is `ada-lovelace`. */
export const uidOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'participant';

const personOf = ({ name, uid, role }: Person) => ({ uid: uid ?? uidOf(name), name, role });

export function addRooms(program: Command, session: Session): void {
  const rooms = group(program, 'rooms', 'rooms: create, watch and end classes');

  paged(
    declare(rooms, 'list', 'list the rooms, newest first', [
      'rooms list',
      'rooms list --status live',
      'rooms list --title Algebra --all --json',
    ]),
  )
    .addOption(choice('--status <status>', 'rooms of this status only', ['created', 'live', 'finished']))
    .option('--title <text>', 'rooms whose title contains this')
    .action(async ({ status, title, ...extent }: Extent & Pick<NonNullable<Query<'listRooms'>>, 'status' | 'title'>) => {
      const pages = session.client().rooms.list({ status, title, limit: pageSize(extent) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['room', ({ roomId }) => roomId],
          ['title', ({ title }) => title],
          ['status', ({ status }) => status],
          ['people', ({ participantCount }) => participantCount],
          ['recording', ({ isRecording }) => isRecording],
          ['created', ({ createdAt }) => time(createdAt)],
        ],
        'There are no such rooms. Create one with: vc rooms create',
      );
    });

  withSettings(
    declare(rooms, 'create', 'create a room and print the link of its first participant', [
      'rooms create algebra-1 --title Algebra --name Ada',
      'rooms create --name "Ada Lovelace" --starts-at 2026-12-01T09:00:00Z --auto-record',
    ]),
  )
    .argument('[roomId]', 'id of your own; made from the title and the time if omitted')
    .option('--title <title>', 'title; the id if omitted')
    .option('--name <name>', 'name of the first participant', 'Teacher')
    .option('--uid <uid>', 'id of the first participant; made from the name if omitted')
    .addOption(choice('--role <role>', 'role of the first participant', ROLES).default('TEACHER'))
    .option('--preset <name>', 'preset of the organization to begin with')
    .action(async (given: string | undefined, options: NewRoom) => {
      const { title, preset } = options;
      const roomId = given ?? `${uidOf(title ?? 'class')}-${Date.now()}`;
      const created = await session.client().rooms.create({
        roomId,
        title: title ?? roomId,
        participant: personOf(options),
        ...(preset === undefined ? {} : { preset }),
        ...settingsOf(options),
      });
      session.print.record(created, {
        Room: created.room.roomId,
        Sid: created.room.sid,
        Link: created.iframeUrl,
        'Valid until': time(created.expiresAt),
      });
    });

  declare(rooms, 'get', 'show a room, also after the class', ['rooms get algebra-1', 'rooms get algebra-1 --json'])
    .argument('<roomId>', 'id of the room')
    .action(async (roomId: string) => {
      const room = await session.client().rooms.get(roomId);
      session.print.record(room, {
        Room: room.roomId,
        Sid: room.sid,
        Title: room.title,
        Status: room.status,
        People: room.participantCount,
        Teacher: room.hasTeacher,
        Recording: room.isRecording,
        Created: time(room.createdAt),
        Started: time(room.startedAt),
        Ended: time(room.endedAt),
        'End reason': room.endReason,
      });
    });

  withSettings(
    declare(rooms, 'change', 'change a room, before or during the class', [
      'rooms change algebra-1 --title "Algebra, class 7b"',
      'rooms change algebra-1 --max-participants 30 --ends-at 2026-12-01T10:00:00Z',
    ]),
  )
    .argument('<roomId>', 'id of the room')
    .option('--title <title>', 'new title')
    .action(async (roomId: string, { title, ...settings }: Settings & { title?: string }) => {
      const changed = await session.client().rooms.change(roomId, { ...(title === undefined ? {} : { title }), ...settingsOf(settings) });
      session.print.record(changed, {
        Room: roomId,
        Title: changed.title,
        'Max participants': changed.maxParticipants,
        'Recorded from the start': changed.autoRecord,
        Starts: time(changed.startsAt),
        Ends: time(changed.endsAt),
      });
    });

  declare(rooms, 'end', 'end a class and disconnect everyone; the id cannot be used again', ['rooms end algebra-1'])
    .argument('<roomId>', 'id of the room')
    .action(async (roomId: string) => {
      const ended = await session.client().rooms.end(roomId);
      session.print.record(ended, {
        Room: ended.roomId,
        Ended: time(ended.endedAt),
        Disconnected: ended.participantsDisconnected,
        'Was recording': ended.wasRecording,
      });
    });

  addPeople(rooms, session);
}

function addPeople(rooms: Command, session: Session): void {
  paged(
    declare(rooms, 'participants', 'list the participants of a room', [
      'rooms participants algebra-1',
      'rooms participants algebra-1 --connected',
    ]),
  )
    .argument('<roomId>', 'id of the room')
    .option('--connected', 'those who are connected now only')
    .action(async (roomId: string, { connected, ...extent }: Extent & { connected?: boolean }) => {
      const pages = session
        .client()
        .rooms.participants.list(roomId, { limit: pageSize(extent), ...(connected ? { connected: 'true' } : {}) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['uid', ({ uid }) => uid],
          ['name', ({ name }) => name],
          ['role', ({ role }) => role],
          ['connected', ({ isConnected }) => isConnected],
          ['joined', ({ joinedAt }) => time(joinedAt)],
          ['left', ({ leftAt }) => time(leftAt)],
        ],
        'There are no such participants.',
      );
    });

  declare(rooms, 'summary', 'show the participants, the minutes and the credits of a class', ['rooms summary algebra-1'])
    .argument('<roomId>', 'id of the room')
    .action(async (roomId: string) => {
      const summary = await session.client().rooms.summary(roomId);
      session.print.record(summary, {
        Room: summary.roomId,
        Status: summary.status,
        Participants: summary.totalParticipants,
        'Mean stay in seconds': summary.avgStay,
        Credits: summary.totalCredits,
        Started: time(summary.timestamps.startedAt),
        Ended: time(summary.timestamps.endedAt),
      });
    });

  declare(rooms, 'attendance', 'print who attended a class, as CSV or JSON', ['rooms attendance algebra-1 > attendance.csv'])
    .argument('<roomId>', 'id of the room')
    .action(async (roomId: string) => {
      const { rooms }: VirtualClassroom = session.client();
      if (session.print.isJson) session.print.record(await rooms.attendance(roomId), {});
      else session.io.out(await rooms.attendanceCsv(roomId));
    });
}

export function addJoin(program: Command, session: Session): void {
  declare(program, 'join', 'print a link with which a participant joins a room', [
    'join algebra-1 --name Bob',
    'join algebra-1 --name Sofia --role teacher --uid teacher-12',
  ])
    .argument('<roomId>', 'id of the room')
    .requiredOption('--name <name>', 'name of the participant')
    .option('--uid <uid>', 'id of the participant; made from the name if omitted')
    .addOption(choice('--role <role>', 'role of the participant', ROLES).default('STUDENT'))
    .action(async (roomId: string, person: Person) => {
      const joined = await session.client().rooms.join(roomId, { participant: personOf(person) });
      if (session.print.isJson) session.print.record(joined, {});
      else session.io.out(`${joined.iframeUrl}\n`);
    });
}
