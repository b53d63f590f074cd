import { mosOf, type QualityMinute } from '@classroom/contracts';
import type { StoredMinute } from './participant-minutes.repository.js';
import { tenths } from './tenths.js';

export function toQualityMinute(row: StoredMinute): QualityMinute {
  const { measuredMs, packetsReceived, packetsLost, packetsSent, sentLost, roundTripMs, bufferMs, freezes, frozenMs, reconnections } = row;
  const lossPercent = percentOf(packetsLost, packetsReceived + packetsLost);
  return {
    startedAt: row.minute.toISOString(),
    measuredSeconds: tenths(measuredMs / 1000),
    mos: lossPercent === null ? null : mosOf({ lossPercent, roundTripMs: roundTripMs ?? 0, bufferMs: bufferMs ?? 0 }),
    receivedKbps: kbps(row.bytesReceived, measuredMs),
    sentKbps: kbps(row.bytesSent, measuredMs),
    lossPercent,
    sentLossPercent: percentOf(sentLost, packetsSent),
    roundTripMs,
    bufferMs,
    freezes,
    frozenSeconds: tenths(frozenMs / 1000),
    reconnections,
  };
}

const percentOf = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10);

/** Bits per millisecond are kilobits per second. */
const kbps = (bytes: number, ms: number) => (ms === 0 ? 0 : Math.round((bytes * 8) / ms));
