import type { ServiceName } from './rpc.js';

/**
 * The JetStream streams and durable consumers, declared once and applied by the migration step. A service whose stream is missing
 * is not ready.
 */
export interface StreamDeclaration {
  name: string;
  subjects: string[];
  description: string;
  maxAgeDays: number;
  /** Fraction of the disk space for streams, if that space is limited: a stream that is full leaves the others their share. */
  storageShare: number;
  /** True: the stream deletes a message when its only consumer has acknowledged it, so that callers cannot fill it. Default: at its age. */
  isQueue?: boolean;
}

export interface ConsumerDeclaration {
  /** The service whose workers read it. */
  service: ServiceName;
  stream: string;
  durable: string;
  filterSubjects: string[];
  /** True: the worker that reads it creates it, and only if the worker is configured to. The migration step does not. */
  isOptional?: boolean;
}

export const STREAMS = {
  LIVEKIT: {
    name: 'LIVEKIT',
    subjects: ['livekit.>'],
    description: 'Verified LiveKit webhooks, as they came',
    maxAgeDays: 3,
    storageShare: 0.2,
  },
  EVENTS: {
    name: 'EVENTS',
    subjects: ['evt.>'],
    description: 'Facts; the sequence is the cursor of the event history',
    maxAgeDays: 30,
    storageShare: 0.7,
  },
  DLQ: {
    name: 'DLQ',
    subjects: ['dlq.>'],
    description: 'Messages a consumer gave up on, for an operator to read and replay',
    maxAgeDays: 30,
    storageShare: 0.05,
  },
  // After DLQ, whose share it took: the migration step changes the streams in this order.
  AUDIT: {
    name: 'AUDIT',
    subjects: ['audit.>'],
    description: 'Audited calls, until the organization service has appended them to the audit log',
    maxAgeDays: 30,
    storageShare: 0.05,
    isQueue: true,
  },
} as const satisfies Record<string, StreamDeclaration>;

export const CONSUMERS = {
  roomPresence: {
    service: 'room',
    stream: 'LIVEKIT',
    durable: 'room-presence',
    filterSubjects: ['livekit.room.>', 'livekit.participant.>'],
  },
  roomCreditStatus: {
    service: 'room',
    stream: 'EVENTS',
    durable: 'room-credit-status',
    filterSubjects: ['evt.billing.account.changed.>'],
  },
  roomRecording: {
    service: 'room',
    stream: 'EVENTS',
    durable: 'room-recording',
    filterSubjects: ['evt.recording.recording.>'],
  },
  roomBudget: {
    service: 'room',
    stream: 'EVENTS',
    durable: 'room-budget',
    filterSubjects: ['evt.billing.room-budget.>'],
  },
  recordingEgress: {
    service: 'recording',
    stream: 'LIVEKIT',
    durable: 'recording-egress',
    filterSubjects: ['livekit.egress.>', 'livekit.track.published.>'],
  },
  recordingRooms: {
    service: 'recording',
    stream: 'EVENTS',
    durable: 'recording-rooms',
    filterSubjects: ['evt.room.room.created.>', 'evt.room.room.updated.>', 'evt.room.room.finished.>'],
  },
  aiCreditStatus: {
    service: 'ai',
    stream: 'EVENTS',
    durable: 'ai-credit-status',
    filterSubjects: ['evt.billing.account.changed.>'],
  },
  billingFold: {
    service: 'billing',
    stream: 'EVENTS',
    durable: 'billing-fold',
    // Not a room's creation: a room that no participant joins costs nothing.
    filterSubjects: [
      'evt.room.participant.connection.>',
      'evt.room.room.started.>',
      'evt.room.room.updated.>',
      'evt.room.room.checkpoint.>',
      'evt.room.room.finished.>',
      'evt.room.room.corrected.>',
      'evt.organization.organization.updated.>',
    ],
  },
  billingAiUsage: {
    service: 'billing',
    stream: 'EVENTS',
    durable: 'billing-ai-usage',
    filterSubjects: ['evt.ai.usage.recorded.>'],
  },
  organizationAudit: {
    service: 'organization',
    stream: 'AUDIT',
    durable: 'organization-audit',
    filterSubjects: ['audit.call.>'],
  },
  organizationFacts: {
    service: 'organization',
    stream: 'EVENTS',
    durable: 'organization-facts',
    filterSubjects: [
      'evt.room.room.created.>',
      'evt.room.room.started.>',
      'evt.room.room.ending-soon.>',
      'evt.room.room.finished.>',
      'evt.room.participant.connection.>',
      'evt.room.participant.admission.>',
      'evt.room.participant.removed.>',
      'evt.room.attendance.>',
      'evt.room.engagement.>',
      'evt.room.chat-message.>',
      'evt.room.board.exported.>',
      'evt.recording.recording.started.>',
      'evt.recording.recording.completed.>',
      'evt.recording.recording.failed.>',
      'evt.recording.recording.deleted.>',
      'evt.recording.recording.health-changed.>',
      'evt.recording.recording-copy.>',
      'evt.billing.credits.>',
      'evt.billing.room-budget.>',
      'evt.media.video.>',
      'evt.media.document.>',
    ],
  },
} as const satisfies Record<string, ConsumerDeclaration>;

/** Consumers of features that are off unless they are configured. */
export const OPTIONAL_CONSUMERS = {
  billingReports: {
    service: 'billing',
    stream: 'EVENTS',
    durable: 'billing-reports',
    filterSubjects: ['evt.room.participant.connection.>', 'evt.billing.session.recovered.>'],
    isOptional: true,
  },
} as const satisfies Record<string, ConsumerDeclaration>;

/** Core NATS subject with which tests (CLOCK=controlled) and a sandbox (CLOCK=sandbox) move the domain clock of every process. */
export const CLOCK_SUBJECT = 'ctl.clock.moved.v1';

/** A message of a test. */
export interface ControlledTime {
  /** By how many milliseconds domain time is ahead of the system's. */
  offsetMs: number;
}

/** A request of a sandbox. Each process answers with its name. */
export interface SandboxTime {
  /** ISO 8601 */
  now: string;
  /** Whether each loop of the process runs before the answer. */
  runsLoops: boolean;
}

/** Core NATS subject at which the organization service of a sandbox takes an example event for its endpoints. */
export const SANDBOX_EVENT_SUBJECT = 'ctl.sandbox.event.v1';
