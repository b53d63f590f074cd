import { Injectable } from '@nestjs/common';
import { AppError, explainQuality, mosOf, type ParticipantQuality, type QualityMinute, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { EngagementRepository, ParticipantMinutesRepository, type StoredMinute } from './participant-minutes.repository.js';
import { explain } from './quality-causes.js';
import { tenths } from './engagement.js';

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

/** Why a class was bad for a participant, for the organization's backend. */
@Injectable()
export class ExplainQuality {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly engagement: EngagementRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND (no token was made for that uid) */
  @Handles(explainQuality)
  async execute({ organizationId, roomId, uid }: RpcInput<typeof explainQuality>): Promise<ParticipantQuality> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const participant = await this.engagement.participant(room.sid, uid);
    if (!participant) throw new AppError('PARTICIPANT_NOT_FOUND');
    const stored = await this.minutes.last(room.sid, uid);
    const { connections, connectedSeconds } = await this.engagement.connections(room.sid, uid, this.livekitClock.seconds());
    const minutes = stored.map(toQualityMinute);
    const joinMs = stored.find((minute) => minute.joinMs !== null)?.joinMs ?? null;
    const joinSeconds = joinMs === null ? null : tenths(joinMs / 1000);
    const { name, role } = participant;
    return {
      uid,
      name,
      role,
      ...explain(minutes, joinSeconds),
      mos: meanOf(minutes.flatMap(({ mos }) => mos ?? [])),
      connections,
      connectedSeconds: tenths(connectedSeconds),
      measuredSeconds: tenths(minutes.reduce((sum, { measuredSeconds }) => sum + measuredSeconds, 0)),
      joinSeconds,
      minutes,
    };
  }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : tenths(values.reduce((sum, value) => sum + value, 0) / values.length);
