import { roomsCsv } from './rooms.controller.js';

const room = {
  roomId: 'geometry-8b',
  sid: 'RM_1',
  title: '=Geometry, 8b',
  status: 'finished' as const,
  participantCount: 0,
  hasTeacher: false,
  isRecording: false,
  createdAt: '2026-01-15T09:00:00.000Z',
  startsAt: null,
  startedAt: '2026-01-15T09:00:00.000Z',
  endedAt: '2026-01-15T09:45:30.000Z',
  teachers: ['Ada Lindqvist', 'Bo "B" Ek'],
  totalParticipants: 24,
};

it('the list of classes as CSV has a row for each class of all pages, and defuses formulas', async () => {
  const planned = {
    ...room,
    roomId: 'later',
    status: 'created' as const,
    startedAt: null,
    endedAt: null,
    teachers: [],
    totalParticipants: 0,
  };
  const read = async (cursor: string) => ({
    rooms: [{ ...planned, title: cursor, startsAt: '2026-02-01T08:00:00.000Z' }],
    nextCursor: null,
  });
  let text = '';
  for await (const part of roomsCsv({ rooms: [room], nextCursor: 'second' }, read)) text += part;
  expect(text.split('\r\n')).toEqual([
    'Room ID,Title,Status,Planned Start,Started At,Ended At,Duration (Minutes),Teachers,Participants',
    `geometry-8b,"'=Geometry, 8b",finished,,2026-01-15T09:00:00.000Z,2026-01-15T09:45:30.000Z,45.50,"Ada Lindqvist, Bo ""B"" Ek",24`,
    'later,second,created,2026-02-01T08:00:00.000Z,,,,,0',
    '',
  ]);
});
