import { creditsOf, SECONDS_PER_CREDIT } from '@classroom/contracts';

/** A session's share of the credits with two decimals, for display. It is never summed. */
export const sessionCredits = (seconds: number) => Math.round((seconds / SECONDS_PER_CREDIT) * 100) / 100;

export interface MeterReading {
  sid: string;
  roomId: string;
  /** Verified seconds of all sessions up to `through`. */
  seconds: number;
  connections: number;
  chargedCredits: number;
  sequence: number;
  lastEntryId: string | null;
  foldedVersion: number;
  /** Sum of the versions of the folded sessions. */
  versionSum: number;
  /** The room's version at its final totals; null before they arrive. */
  finalVersion: number | null;
  finalConnections: number | null;
  finalVersionSum: number | null;
  isFinished: boolean;
  isSettled: boolean;
  /**
   * The reading ends at a cycle's end or a plan's end, not at the end of the room: nothing is settled, and a finished room is charged without
   * waiting for missing facts.
   */
  isPartial: boolean;
}

export interface Charge {
  sid: string;
  roomId: string;
  kind: 'CHARGE' | 'ADJUSTMENT';
  /** Effect on the balance: negative for a charge. */
  signedCredits: number;
  sequence: number;
  meterVersion: number;
  totalSeconds: number;
  correctsEntryId: string | null;
}

/**
 * Whether all facts behind the room's final totals have arrived: as many sessions, each with the room's own version. A session newer than
 * the totals proves them out of date; without this check, its higher version could compensate for another session's missing fact.
 */
export const agreesWithRoom = ({ connections, versionSum, foldedVersion, finalVersion, finalConnections, finalVersionSum }: MeterReading) =>
  finalVersion !== null && foldedVersion <= finalVersion && finalConnections === connections && finalVersionSum === versionSum;

/** A finished room gets its last charge only when its sessions agree with its totals, so that it is never settled too low. */
export const isAwaitingFacts = (reading: MeterReading) =>
  reading.isFinished && !reading.isSettled && !reading.isPartial && !agreesWithRoom(reading);

/**
 * The entry to post for a meter: the credits of its seconds minus the charged ones. A positive difference is a charge. A negative one, or
 * any after the room was settled, is an adjustment that names the entry it corrects.
 */
export function chargeFor(reading: MeterReading): Charge | undefined {
  if (isAwaitingFacts(reading)) return undefined;
  const owed = creditsOf(reading.seconds) - reading.chargedCredits;
  if (owed === 0) return undefined;
  const isCorrection = reading.lastEntryId !== null && (owed < 0 || reading.isSettled);
  return {
    sid: reading.sid,
    roomId: reading.roomId,
    kind: isCorrection ? 'ADJUSTMENT' : 'CHARGE',
    signedCredits: -owed,
    sequence: reading.sequence + 1,
    meterVersion: reading.foldedVersion,
    totalSeconds: reading.seconds,
    correctsEntryId: isCorrection ? reading.lastEntryId : null,
  };
}
