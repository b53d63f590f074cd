import { creditsOf, SECONDS_PER_CREDIT } from '@classroom/contracts';

/** A session's own share, to two decimals: shown, never summed. */
export const sessionCredits = (seconds: number) => Math.round((seconds / SECONDS_PER_CREDIT) * 100) / 100;

export interface MeterReading {
  sid: string;
  roomId: string;
  /** Seconds of all sessions up to `through`, verified ones only. */
  seconds: number;
  connections: number;
  chargedCredits: number;
  sequence: number;
  lastEntryId: string | null;
  foldedVersion: number;
  /** Of the folded sessions' versions. */
  versionSum: number;
  /** The room's version when it said what it came to; null before it did. */
  finalVersion: number | null;
  finalConnections: number | null;
  finalVersionSum: number | null;
  isFinished: boolean;
  isSettled: boolean;
}

export interface Charge {
  sid: string;
  roomId: string;
  kind: 'CHARGE' | 'ADJUSTMENT';
  /** What it does to the balance: a charge takes, so it is negative. */
  signedCredits: number;
  sequence: number;
  meterVersion: number;
  totalSeconds: number;
  correctsEntryId: string | null;
}

/**
 * Whether the fold has everything that the room said it came to: as many sessions, each at the room's own version. A session that is
 * newer than what the room said proves that to be out of date; without this check its surplus could stand in for another's missing fact.
 */
export const agreesWithRoom = ({ connections, versionSum, foldedVersion, finalVersion, finalConnections, finalVersionSum }: MeterReading) =>
  finalVersion !== null && foldedVersion <= finalVersion && finalConnections === connections && finalVersionSum === versionSum;

/** A finished room is charged its last only once the fold agrees: nothing is finalized short. */
export const mustWait = (reading: MeterReading) => reading.isFinished && !reading.isSettled && !agreesWithRoom(reading);

/**
 * What is to be posted for a meter: the credits of its seconds less what is charged. More is a charge; less, or anything
 * after the room was settled, is an adjustment that names the entry it corrects.
 */
export function chargeFor(reading: MeterReading): Charge | undefined {
  if (mustWait(reading)) return undefined;
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
