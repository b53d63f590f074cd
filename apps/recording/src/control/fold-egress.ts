import type { EgressInfo } from '@classroom/contracts';
import type { RecordingChange } from '../recordings/recordings.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

type StoredStatus = RecordingEntity['status'];

/** An engine's recordings only move forward. So do ours, in whatever order the reports arrive. */
const RANK: Record<StoredStatus, number> = {
  REQUESTED: 0,
  REFUSED: 0,
  STARTING: 1,
  ACTIVE: 2,
  ENDING: 3,
  COMPLETED: 4,
  FAILED: 4,
  ABORTED: 4,
};

type Known = Pick<RecordingEntity, 'status' | 'activeAt' | 'endedAt' | 'objectKey'>;

/**
 * What an engine's report about the current attempt changes. A pure function; neither the order nor the repetition of reports
 * changes the outcome. If a file appears after all, even a FAILED recording is finalized: nothing that was captured is lost.
 */
export function foldEgress(recording: Known, info: EgressInfo, now: Date): RecordingChange {
  if (recording.status === 'COMPLETED' || recording.status === 'ABORTED' || recording.status === 'REFUSED') return {};
  const startedAt = toDate(info.fileResults[0]?.startedAt) ?? toDate(info.startedAt);
  const endedAt = toDate(info.fileResults[0]?.endedAt) ?? toDate(info.endedAt) ?? now;
  switch (info.status) {
    case 'EGRESS_STARTING':
      return advance(recording, 'STARTING');
    case 'EGRESS_ACTIVE':
      return { ...advance(recording, 'ACTIVE'), ...withActiveAt(recording, startedAt ?? now) };
    case 'EGRESS_ENDING':
      return { ...advance(recording, 'ENDING'), ...(RANK[recording.status] < RANK.FAILED ? withActiveAt(recording, startedAt) : {}) };
    case 'EGRESS_COMPLETE':
    case 'EGRESS_LIMIT_REACHED':
      return {
        status: 'ENDING',
        ...withActiveAt(recording, startedAt),
        endedAt,
        ...endOf(info),
        objectKey: info.fileResults[0]?.filename || null,
        finalizeAt: now,
        // A file that arrives after its recording was given up and deleted is kept like any other.
        deletedAt: null,
        lookAt: null,
        missingSince: null,
      };
    case 'EGRESS_FAILED':
      return ended(recording, 'FAILED', endedAt, info.error || 'The recorder failed without saying why');
    case 'EGRESS_ABORTED':
      return ended(recording, 'ABORTED', endedAt, info.error || 'It was stopped before it began');
    default:
      // A status that only a newer engine sends changes nothing.
      return {};
  }
}

/** Without a reason the file is whole. */
const endOf = ({ status, error }: EgressInfo): RecordingChange =>
  status === 'EGRESS_LIMIT_REACHED'
    ? { limitReached: true, reason: error || 'The recording had its greatest length' }
    : { limitReached: false, reason: error || null };

const advance = ({ status }: Known, to: StoredStatus): RecordingChange => (RANK[to] > RANK[status] ? { status: to } : {});

/** The first reported start time is kept: LiveKit's changes between its first events. */
const withActiveAt = ({ activeAt }: Known, at: Date | undefined): RecordingChange => (activeAt === null && at ? { activeAt: at } : {});

function ended({ status, objectKey }: Known, to: StoredStatus, endedAt: Date, reason: string): RecordingChange {
  // Once a file was reported, only finalization decides whether it exists.
  if (RANK[status] >= RANK.FAILED || objectKey !== null) return {};
  return { status: to, endedAt, reason, finalizeAt: null, lookAt: null, missingSince: null };
}

/** Parses nanoseconds since 1970 as text; undefined for zero, which means "not yet". */
function toDate(nanoseconds: string | undefined): Date | undefined {
  const ms = Number(BigInt(nanoseconds ?? '0') / 1_000_000n);
  return ms > 0 ? new Date(ms) : undefined;
}
