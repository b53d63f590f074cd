import type { MeasuredMinute } from '@classroom/contracts';
import type { ParticipantMinuteEntity } from '../schema/participant-minute.entity.js';

export type MinuteRow = Omit<ParticipantMinuteEntity, 'sid' | 'uid'>;

export const MINUTE_MS = 60_000;
/** Reports that are about a minute apart begin in different ones. */
const SLOT_MS = MINUTE_MS / 2;
/** More than a connection can carry in a minute: packets, and bytes (a gigabit per second). */
const MOST_PACKETS = 10_000_000;
const MOST_BYTES = 7_500_000_000;
/** Losses of a connection, and freezes of all videos of a page. */
const MOST_TIMES = 1_000;

/** What a page reported, as far as a minute can contain it: the page is the participant's, who may claim anything. */
export function toMinuteRow({ connectionSid, startedAt, joinMs, stats = {}, ...reported }: MeasuredMinute): MinuteRow {
  const measuredMs = whole(reported.measuredMs, MINUTE_MS);
  const {
    'inbound-rtp': received = {},
    'outbound-rtp': sent = {},
    'remote-inbound-rtp': arrived = {},
    'candidate-pair': path = {},
  } = stats;
  const packetsSent = whole(sent.packetsSent, MOST_PACKETS);
  return {
    connectionSid,
    minute: new Date(Math.floor(Date.parse(startedAt) / SLOT_MS) * SLOT_MS),
    measuredMs,
    talkMs: whole(reported.talkMs, measuredMs),
    cameraMs: whole(reported.cameraMs, measuredMs),
    reconnections: whole(reported.reconnections, MOST_TIMES),
    joinMs: joinMs === undefined ? null : whole(joinMs, 60 * MINUTE_MS),
    bytesReceived: whole(received.bytesReceived, MOST_BYTES),
    bytesSent: whole(sent.bytesSent, MOST_BYTES),
    packetsReceived: whole(received.packetsReceived, MOST_PACKETS),
    packetsLost: whole(received.packetsLost, MOST_PACKETS),
    packetsSent,
    sentLost: whole(arrived.packetsLost, packetsSent),
    roundTripMs: meanMs(path.totalRoundTripTime, path.responsesReceived),
    bufferMs: meanMs(received.jitterBufferDelay, received.jitterBufferEmittedCount),
    freezes: whole(received.freezeCount, MOST_TIMES),
    frozenMs: whole((received.totalFreezesDuration ?? 0) * 1000, measuredMs),
  };
}

const whole = (value: number | undefined, most: number) => Math.min(Math.round(value ?? 0), most);

const meanMs = (seconds: number | undefined, count: number | undefined) =>
  seconds !== undefined && count ? whole((seconds / count) * 1000, MINUTE_MS) : null;
