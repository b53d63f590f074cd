import { Inject, Injectable } from '@nestjs/common';
import { AppError, CONSUMERS, egressWebhook, getOrganization, recordingOptions, type EgressInfo } from '@classroom/contracts';
import { Consumes, DueWorks, RpcClient, type DueWork } from '@classroom/messaging';
import { annotate, Clock, failpoint, InBackground, logger } from '@classroom/platform';
import { PENDING_ENGINE_ID, recordingKeyIn, ROOT, STARTING_MS } from '../recordings/recording.js';
import { RecordingsRepository, type RecordingChange } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import { RoomsRepository, type WantedRoom } from '../recordings/rooms.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { foldEgress } from './fold-egress.js';
import { RECORDING_ENGINE, type RecordingEngine } from './recording-engine.js';
import { StartRecording } from './start-recording.js';

/** Many: a busy recorder takes seconds to refuse one start, and at the full hour many classes begin. */
const PARALLEL = 20;
/** Milliseconds until a start is tried again because no recorder was free or the class is not live yet. */
const RETRY_DELAY_MS = 5_000;

/**
 * `settings.autoRecord`: starts the recording of a class once, when the first participant publishes. A recording that was
 * stopped is not started again.
 */
@Injectable()
export class AutoRecorder {
  @InBackground() private readonly work: DueWork<WantedRoom>;

  constructor(
    dueWorks: DueWorks,
    private readonly rooms: RoomsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<WantedRoom>({
      name: 'auto-record',
      isByWallTime: true,
      keyOf: ({ sid }) => sid,
      claim: (now, limit) => rooms.claimWanted(now, new Date(now.getTime() + RETRY_DELAY_MS), limit),
      run: (room) => this.start(room),
      parallel: PARALLEL,
    });
  }

  /** A participant published in the LiveKit room `sid`. This service may not know the room's creation yet. */
  async handleTrackPublished(sid: string): Promise<void> {
    await this.rooms.markPublishing(sid, this.clock.wall());
  }

  private async start({ sid, organizationId, roomId }: WantedRoom): Promise<void> {
    try {
      const { branding } = await this.rpc.call(getOrganization, { organizationId });
      await this.startRecording.execute({ organizationId, roomId, options: recordingOptions.parse({}), logoUrl: branding.logoUrl ?? null });
    } catch (error) {
      // Another start was faster, so the class is being recorded.
      if (!(error instanceof AppError) || error.code !== 'RECORDING_IN_PROGRESS') throw error;
    }
    await this.rooms.markRecorded(sid, this.clock.wall());
  }
}

const ENDED_STATUSES = new Set(['EGRESS_COMPLETE', 'EGRESS_FAILED', 'EGRESS_ABORTED', 'EGRESS_LIMIT_REACHED']);

/** Writes what an engine reports of an egress to its row. An egress without a row that expects it is stopped, never adopted. */
@Injectable()
export class ApplyEgress {
  constructor(
    private readonly recordings: RecordingsRepository,
    @Inject(RECORDING_ENGINE) private readonly engine: RecordingEngine,
    private readonly statusNotifier: RoomStatusNotifier,
    private readonly clock: Clock,
  ) {}

  async execute(info: EgressInfo): Promise<void> {
    annotate({ 'room.sid': info.roomName, 'egress.id': info.egressId, 'egress.status': info.status });
    const key = (await this.recordings.findKey(info.egressId)) ?? keyFromPath(info);
    await failpoint('recording.egress.before-transaction');
    const outcome = await this.recordings.transaction(async (tx) => {
      const recording = key === undefined ? undefined : await this.recordings.lock(tx, key);
      if (!recording || isOrphaned(recording, info)) return 'orphaned' as const;
      const now = this.clock.wall();
      const change = { ...this.assignIds(recording, info, now), ...foldEgress(recording, info, now) };
      const changed = await this.recordings.change(tx, recording, change);
      await failpoint('recording.egress.before-commit');
      return changed;
    });
    await failpoint('recording.egress.after-commit');
    if (outcome !== 'orphaned') {
      await this.statusNotifier.notify(outcome);
      return;
    }
    if (ENDED_STATUSES.has(info.status)) return;
    logger.warn({ egressId: info.egressId, sid: info.roomName }, 'orphaned egress stopped');
    await this.engine.stop(info.egressId);
  }

  /**
   * The ids of a recording that has none yet: the engine's event may arrive before its answer, or the process that waited for
   * the answer may have died.
   */
  private assignIds({ egressId, engineIds }: RecordingEntity, info: EgressInfo, now: Date): RecordingChange {
    if (egressId !== null) return engineIds.at(-1) === PENDING_ENGINE_ID ? { engineIds: [...engineIds.slice(0, -1), info.egressId] } : {};
    return {
      egressId: info.egressId,
      engineIds: engineIds.length > 0 ? engineIds : [info.egressId],
      lookAt: new Date(now.getTime() + STARTING_MS),
    };
  }
}

/**
 * Whether the egress belongs to an attempt or a recording that was given up, or to a start that was refused because no recorder
 * took it.
 */
function isOrphaned({ status, engineIds }: RecordingEntity, { egressId, status: egressStatus }: EgressInfo): boolean {
  const present = engineIds.at(-1);
  // If a FAILED recording still runs, its egress is stopped. If the egress has ended, its file is still accepted.
  if (status === 'REFUSED' || (status === 'FAILED' && !ENDED_STATUSES.has(egressStatus))) return true;
  return present === undefined || present === PENDING_ENGINE_ID ? engineIds.includes(egressId) : present !== egressId;
}

/** The recording's key from the path of the file, for an egress whose id never reached this service. */
function keyFromPath({ fileResults, roomComposite }: EgressInfo): string | undefined {
  const paths = [...fileResults.map(({ filename }) => filename), ...(roomComposite?.fileOutputs ?? []).map(({ filepath }) => filepath)];
  const ours = paths.find((path) => path.startsWith(ROOT));
  return ours && recordingKeyIn(ours);
}

interface Webhook {
  event: string;
  room?: { name?: string };
  egressInfo?: { egressId?: string };
}

/** Consumes the webhooks about egress, from LiveKit or in the same form from our own recorder, and those about published tracks. */
@Injectable()
export class EgressConsumer {
  constructor(
    private readonly applyEgress: ApplyEgress,
    private readonly autoRecorder: AutoRecorder,
  ) {}

  @Consumes<Webhook>(CONSUMERS.recordingEgress, {
    concurrency: 8,
    keyOf: ({ egressInfo, room }) => egressInfo?.egressId ?? room?.name ?? '',
  })
  async handle(webhook: Webhook): Promise<void> {
    if (webhook.event === 'track_published') return this.autoRecorder.handleTrackPublished(webhook.room?.name ?? '');
    return this.applyEgress.execute(egressWebhook.parse(webhook).egressInfo);
  }
}
