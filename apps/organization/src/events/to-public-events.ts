import {
  attendanceEvaluated,
  boardExported,
  chatMessageDeleted,
  chatMessageReported,
  creditsLow,
  creditsOverconsumed,
  creditThresholdReached,
  documentConverted,
  documentFailed,
  engagementSummarized,
  participantAdmission,
  participantConnection,
  participantRemoved,
  recordingCompleted,
  recordingCopied,
  recordingCopyFailed,
  recordingDeleted,
  recordingFailed,
  recordingHealthChanged,
  recordingStarted,
  roomBudgetReached,
  roomCreated,
  roomEndingSoon,
  roomFinished,
  roomStarted,
  videoCompleted,
  videoFailed,
  type EventContract,
  type EventData,
  type EventEnvelope,
  type PublicEventData,
  type PublicEventType,
  type RecordingFact,
} from '@classroom/contracts';

export type EventBody = { [T in PublicEventType]: { type: T; data: PublicEventData<T> } }[PublicEventType];

/** An event with its inbox key `once`: a fact that is published again, corrected or not, creates no second event. */
export type DerivedEvent = EventBody & { once: string };

/** The events that an organization receives for a fact, in order. Most facts give none. */
export function toPublicEvents(fact: EventEnvelope): DerivedEvent[] {
  if (is(fact, roomCreated)) {
    const { roomId, sid, title, createdAt } = fact.data;
    return [{ once: `${sid}:created`, type: 'room.created', data: { roomId, sid, title, createdAt } }];
  }
  if (is(fact, roomStarted)) {
    const { roomId, sid, title, startedAt } = fact.data;
    return [{ once: `${sid}:started`, type: 'room.started', data: { roomId, sid, title, startedAt } }];
  }
  if (is(fact, roomEndingSoon)) {
    const { roomId, sid, title, endsAt } = fact.data;
    return [{ once: `${sid}:ending:${endsAt}`, type: 'room.ending_soon', data: { roomId, sid, title, endsAt } }];
  }
  if (is(fact, roomFinished)) {
    const { roomId, sid, title, startedAt, endedAt, reason, totalSeconds } = fact.data;
    return [{ once: `${sid}:finished`, type: 'room.finished', data: { roomId, sid, title, startedAt, endedAt, reason, totalSeconds } }];
  }
  if (is(fact, attendanceEvaluated)) {
    const { organizationId: _, ...data } = fact.data;
    return [{ once: `${data.sid}:attendance`, type: 'attendance.evaluated', data }];
  }
  if (is(fact, engagementSummarized)) {
    const { organizationId: _, ...data } = fact.data;
    return [{ once: `${data.sid}:engagement`, type: 'engagement.summarized', data }];
  }
  if (is(fact, participantConnection)) return fromConnection(fact.data);
  if (is(fact, participantAdmission)) return [fromAdmission(fact)];
  if (is(fact, participantRemoved)) {
    const { roomId, sid, uid, removedBy, removedAt } = fact.data;
    return [{ once: fact.id, type: 'participant.removed', data: { roomId, sid, uid, removedBy: removedBy || null, removedAt } }];
  }
  if (is(fact, recordingStarted)) return fact.data.isMerged ? [] : [fromRecording('recording.started', fact.data)];
  if (is(fact, recordingCompleted)) return [fromRecording('recording.completed', fact.data)];
  if (is(fact, recordingFailed)) return [fromRecording('recording.failed', fact.data)];
  // A recording may have the same health several times.
  if (is(fact, recordingHealthChanged)) return [{ ...fromRecording('recording.health', fact.data), once: fact.id }];
  if (is(fact, recordingDeleted)) return [fromRecording('recording.deleted', fact.data)];
  if (is(fact, recordingCopied)) {
    const { roomId, sid, egressId, bucket, key, size, sha256, copiedAt } = fact.data;
    const data = { roomId, sid, recordingId: `rec_${egressId}`, egressId, bucket, key, size, sha256, copiedAt };
    return [{ once: `${egressId}:recording.copied`, type: 'recording.copied', data }];
  }
  if (is(fact, recordingCopyFailed)) {
    const { roomId, sid, egressId, error, attempts, failedAt } = fact.data;
    const data = { roomId, sid, recordingId: `rec_${egressId}`, egressId, error, attempts, failedAt };
    return [{ once: fact.id, type: 'recording.copy_failed', data }];
  }
  if (is(fact, chatMessageDeleted)) {
    const { roomId, sid, messageId, uid, deletedBy, deletedAt } = fact.data;
    const data = { roomId, sid, messageId, uid, deletedBy: deletedBy || null, deletedAt };
    return [{ once: `${sid}:${messageId}:deleted`, type: 'chat.message_deleted', data }];
  }
  if (is(fact, chatMessageReported)) {
    const { roomId, sid, messageId, uid, reportedBy, reportedAt } = fact.data;
    const data = { roomId, sid, messageId, uid, reportedBy, reportedAt };
    // Its key must contain no uid: keys are kept after an erasure.
    return [{ once: fact.id, type: 'chat.message_reported', data }];
  }
  if (is(fact, boardExported)) {
    const { roomId, sid, format, exportedAt } = fact.data;
    return [{ once: fact.id, type: 'board.exported', data: { roomId, sid, format, exportedAt } }];
  }
  return fromAccountOrMedia(fact);
}

function fromAccountOrMedia(fact: EventEnvelope): DerivedEvent[] {
  if (is(fact, creditsLow)) {
    const { remainingCredits, threshold } = fact.data;
    return [{ once: fact.id, type: 'credits.low', data: { remainingCredits, threshold } }];
  }
  if (is(fact, creditsOverconsumed)) {
    const { remainingCredits } = fact.data;
    return [{ once: fact.id, type: 'credits.overconsumed', data: { remainingCredits } }];
  }
  if (is(fact, roomBudgetReached)) {
    const { sid, roomId, percent, credits, budget, budgetVersion = 0, isRepeated = false } = fact.data;
    const once = `${sid}:budget:${percent}${budgetVersion > 0 ? `:${budgetVersion}` : ''}`;
    return isRepeated ? [] : [{ once, type: 'room.budget_reached', data: { sid, roomId, percent, credits, ...budget } }];
  }
  if (is(fact, creditThresholdReached)) {
    const { type, threshold, credits } = fact.data;
    return [{ once: fact.id, type: 'credits.threshold_reached', data: { type, threshold, credits } }];
  }
  if (is(fact, documentConverted)) {
    const { roomId, sid, documentId, title, pages } = fact.data;
    return [{ once: `${documentId}:converted`, type: 'document.converted', data: { roomId, sid, documentId, title, pages } }];
  }
  if (is(fact, documentFailed)) {
    const { roomId, sid, documentId, title, reason } = fact.data;
    return [{ once: `${documentId}:failed`, type: 'document.failed', data: { roomId, sid, documentId, title, reason } }];
  }
  if (is(fact, videoCompleted)) {
    const { videoId, title, duration } = fact.data;
    return [{ once: `${videoId}:completed`, type: 'video.completed', data: { videoId, title, duration } }];
  }
  if (is(fact, videoFailed)) {
    const { videoId, title, message } = fact.data;
    return [{ once: `${videoId}:failed`, type: 'video.failed', data: { videoId, title, message } }];
  }
  return [];
}

/** The connection in its latest state. A closed one gives both events: if its join was not published before, it precedes the leave. */
function fromConnection(fact: EventData<typeof participantConnection>): DerivedEvent[] {
  const { roomId, sid, connectionSid: connectionId, uid, name, role, joinedAt, leftAt } = fact;
  const connection = { roomId, sid, connectionId, uid, name, role, joinedAt };
  const joined: DerivedEvent = { once: `${connectionId}:joined`, type: 'participant.joined', data: connection };
  if (leftAt === null) return [joined];
  const duration = Math.max(0, Math.round((Date.parse(leftAt) - Date.parse(joinedAt)) / 1000));
  return [joined, { once: `${connectionId}:left`, type: 'participant.left', data: { ...connection, leftAt, duration } }];
}

function fromAdmission({ id: once, data: fact }: EventEnvelope<EventData<typeof participantAdmission>>): DerivedEvent {
  const { roomId, sid, uid, name, role, state, by, at } = fact;
  const person = { roomId, sid, uid, name, role };
  if (state === 'WAITING') return { once, type: 'participant.waiting', data: { ...person, waitingSince: at } };
  const type = state === 'ADMITTED' ? 'participant.admitted' : 'participant.refused';
  return { once, type, data: { ...person, decidedBy: by || null, decidedAt: at } };
}

type RecordingType = Exclude<Extract<PublicEventType, `recording.${string}`>, `recording.cop${string}`>;

function fromRecording(type: RecordingType, fact: RecordingFact): DerivedEvent {
  const { roomId, sid, egressId, status, startedAt, endedAt, duration, reason, health } = fact;
  const data = { roomId, sid, recordingId: `rec_${egressId}`, egressId, status, startedAt, endedAt, duration, reason, health };
  return { once: `${egressId}:${type}`, type, data };
}

/** Narrows a fact to the type of a contract. Its data is not validated, because only our own services publish. */
function is<C extends EventContract>(fact: EventEnvelope, contract: C): fact is EventEnvelope<EventData<C>> {
  return fact.type === contract.type;
}

/** Fields of a person next to their uid in events, with what replaces them. */
export const PERSONAL: Record<string, unknown> = { name: '', photoURL: null, ip: null };
/** Fields of events that contain a uid. */
export const UIDS: ReadonlySet<string> = new Set(['uid', 'studentUid', 'participantUid', 'removedBy', 'deletedBy', 'reportedBy']);
