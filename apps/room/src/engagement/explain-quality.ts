import { Injectable } from '@nestjs/common';
import { AppError, explainQuality, type ParticipantQuality, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { EngagementRepository } from './engagement.repository.js';
import { ParticipantMinutesRepository } from './participant-minutes.repository.js';
import { explain } from './quality-causes.js';
import { tenths } from './tenths.js';
import { toQualityMinute } from './to-quality-minute.js';

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
