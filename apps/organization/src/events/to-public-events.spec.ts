import {
  accountChanged,
  attendanceEvaluated,
  boardExported,
  chatMessageDeleted,
  chatMessageReported,
  creditsLow,
  creditThresholdReached,
  engagementSummarized,
  participantConnection,
  participantRemoved,
  PUBLIC_EVENTS,
  recordingCompleted,
  recordingCopied,
  recordingCopyFailed,
  recordingHealthChanged,
  roomBudgetReached,
  roomEndingSoon,
  roomFinished,
  documentConverted,
  documentFailed,
  videoFailed,
  type EventContract,
  type EventData,
  type EventEnvelope,
} from '@classroom/contracts';
import { toPublicEvents } from './to-public-events.js';

function factOf<C extends EventContract>(contract: C, data: EventData<C>): EventEnvelope {
  return { specversion: '1.0', id: 'fact-1', source: '', type: contract.type, subject: 's', time: '2030-01-01T00:00:00.000Z', data };
}

const organizationId = 'org_secret';
const room = { organizationId, sid: 'RM_1', roomId: 'algebra' };
const connection = {
  ...room,
  connectionSid: 'PA_1',
  uid: 'ada',
  name: 'Ada',
  role: 'STUDENT',
  ip: '203.0.113.7',
  joinedAt: '2030-01-01T00:00:00.000Z',
  leftAt: null,
  openedBy: 'webhook',
  closedBy: null,
  version: 1,
};
const recording = {
  ...room,
  egressId: 'EG_1',
  status: 'COMPLETED',
  version: 4,
  startedAt: connection.joinedAt,
  endedAt: null,
  duration: 60,
  reason: null,
  health: 'OK',
  isPaused: false,
  isMerged: false,
};
const copy = { ...room, egressId: 'EG_1' };
const message = { ...room, messageId: '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30', uid: 'ada' };
const attendance = {
  policy: { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 },
  lessonStart: connection.joinedAt,
  lessonEnd: '2030-01-01T01:00:00.000Z',
  counts: { present: 0, late: 0, leftEarly: 0, absent: 1 },
  people: [{ uid: 'ada', role: null, status: 'ABSENT' as const, secondsLate: null, secondsLeftEarly: null, isOnRoster: true }],
  furtherPeople: 0,
};
const counts = {
  connections: 1,
  connectedSeconds: 90,
  measuredSeconds: 0,
  talkSeconds: null,
  cameraSeconds: null,
  handsRaised: 1,
  chatMessages: 2,
  reactions: 0,
  boardElements: 0,
  pollAnswers: 0,
};
const engagement = {
  startedAt: connection.joinedAt,
  endedAt: '2030-01-01T01:00:00.000Z',
  totals: { participants: 1, ...counts },
  participants: [{ uid: 'ada', name: 'Ada', role: 'STUDENT', ...counts }],
  furtherParticipants: 0,
};
const totals = { connections: 1, totalSeconds: 90, versionSum: 2, lastVersion: 2 };

const facts = [
  factOf(participantConnection, connection),
  factOf(participantConnection, { ...connection, leftAt: '2030-01-01T00:01:30.000Z', closedBy: 'webhook', version: 2 }),
  factOf(participantRemoved, { ...room, uid: 'ada', removedBy: '', removedAt: connection.joinedAt }),
  factOf(chatMessageDeleted, { ...message, deletedBy: '', deletedAt: connection.joinedAt }),
  factOf(chatMessageReported, { ...message, reportedBy: 'bob', reportedAt: connection.joinedAt }),
  factOf(boardExported, { ...room, format: 'pdf', exportedAt: connection.joinedAt }),
  factOf(roomEndingSoon, { ...room, title: 'T', endsAt: connection.joinedAt }),
  factOf(roomFinished, { ...room, title: 'T', startedAt: null, endedAt: connection.joinedAt, reason: 'ended', ...totals }),
  factOf(attendanceEvaluated, { ...room, title: 'T', ...attendance }),
  factOf(engagementSummarized, { ...room, title: 'T', ...engagement }),
  factOf(recordingCompleted, recording),
  factOf(recordingHealthChanged, { ...recording, status: 'ACTIVE', health: 'STALLED' }),
  factOf(recordingCopied, { ...copy, bucket: 'school', key: 'a/rec_EG_1.mp4', size: 9, sha256: 'ab', copiedAt: connection.joinedAt }),
  factOf(recordingCopyFailed, { ...copy, error: 'access-denied', attempts: 3, failedAt: connection.joinedAt }),
  factOf(creditsLow, { organizationId, remainingCredits: 3, threshold: 10 }),
  factOf(roomBudgetReached, { ...room, percent: 80, credits: 8, budget: { maxCredits: 10, onReached: 'endClass' } }),
  factOf(creditThresholdReached, { organizationId, type: 'consumed', threshold: 10, credits: 12 }),
  factOf(documentConverted, { ...room, documentId: 'doc_1', title: 'T', pages: 3 }),
  factOf(documentFailed, { ...room, documentId: 'doc_1', title: 'T', reason: 'broken' }),
  factOf(videoFailed, { organizationId, videoId: 'vid_1', title: 'T', duration: null, message: 'broken' }),
];

it('makes events that match their contract, without internal fields', () => {
  for (const { type, data } of facts.flatMap(toPublicEvents)) {
    expect(PUBLIC_EVENTS[type].strict().parse(data)).toEqual(data);
    expect(JSON.stringify(data)).not.toMatch(/org_secret|203\.0\.113/);
  }
});

it('makes one joined and one left event for a connection, however often it is corrected', () => {
  const [open, closed] = facts;
  const later = factOf(participantConnection, { ...connection, leftAt: '2030-01-01T00:02:00.000Z', version: 3 });
  const names = [open, closed, later].map((fact) => toPublicEvents(fact as EventEnvelope).map(({ once, type }) => [once, type]));
  const joined = ['PA_1:joined', 'participant.joined'];
  const left = ['PA_1:left', 'participant.left'];
  expect(names).toEqual([[joined], [joined, left], [joined, left]]);
  expect(toPublicEvents(closed as EventEnvelope)[1]?.data).toMatchObject({ duration: 90 });
});

it('distinguishes the organization’s backend from a participant', () => {
  expect(toPublicEvents(facts[2] as EventEnvelope)[0]?.data).toMatchObject({ removedBy: null });
  expect(toPublicEvents(facts[3] as EventEnvelope)[0]?.data).toMatchObject({ deletedBy: null });
});

it('makes no event from an internal fact', () => {
  const data = { organizationId, remainingCredits: 1, version: 1, isOverconsumed: false, isExhausted: false };
  expect(toPublicEvents(factOf(accountChanged, data))).toEqual([]);
});

it('makes an event of a share of a budget once for each budget that reaches it', () => {
  const data = { ...room, percent: 100, credits: 10, budget: { maxCredits: 10, onReached: 'warn' as const } };
  const onceOf = (more: object) => toPublicEvents(factOf(roomBudgetReached, { ...data, ...more })).map(({ once }) => once);
  expect(onceOf({})).toEqual(['RM_1:budget:100']);
  expect(onceOf({ budgetVersion: 0, isRepeated: false })).toEqual(['RM_1:budget:100']);
  expect(onceOf({ budgetVersion: 2, isRepeated: false })).toEqual(['RM_1:budget:100:2']);
  expect(onceOf({ budgetVersion: 3, isRepeated: true })).toEqual([]);
});
