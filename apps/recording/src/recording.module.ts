import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Dependencies } from '@classroom/platform';
import { AutoRecord } from './automatic/auto-record.js';
import type { RecordingConfig } from './config.js';
import { ApplyEgress } from './egress/apply-egress.js';
import { EgressEvents } from './egress/egress.events.js';
import { EgressEngine } from './engine/egress-engine.js';
import { EmbeddedEngine } from './engine/embedded-engine.js';
import { RECORDING_ENGINE, type RecordingEngine } from './engine/recording-engine.js';
import { FinalizeRecording } from './finalization/finalize-recording.js';
import { FINALIZATION_QUEUE, FinalizationJobs } from './finalization/finalization.jobs.js';
import { DownloadRecordings } from './recordings/download-recordings.js';
import { DueRecordings } from './recordings/due-recordings.js';
import { ListRecordings } from './recordings/list-recordings.js';
import { LocateFile } from './recordings/locate-file.js';
import { RecordingGauges } from './recordings/recording-gauges.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RecordingsRpc } from './recordings/recordings.rpc.js';
import { StartRecording } from './recordings/start-recording.js';
import { StopRecording } from './recordings/stop-recording.js';
import { BucketAudit } from './retention/bucket-audit.js';
import { DeleteFiles } from './retention/delete-files.js';
import { RETENTION_QUEUE, RetentionJobs } from './retention/retention.jobs.js';
import { RetentionRule } from './retention/retention-rule.js';
import { ClassEnd } from './rooms/class-end.js';
import { Notices } from './rooms/notices.js';
import { RoomCopies } from './rooms/room-copies.js';
import { RoomsEvents } from './rooms/rooms.events.js';
import { RecordingWatchdog } from './watchdog/recording-watchdog.js';

const recordings: Provider[] = [RecordingsRepository, StartRecording, StopRecording, ListRecordings, LocateFile, DownloadRecordings, DueRecordings, RecordingGauges];
const evidence: Provider[] = [ApplyEgress, EgressEvents, RecordingWatchdog, AutoRecord];
const rooms: Provider[] = [ClassEnd, Notices, RoomCopies, RoomsEvents];
const files: Provider[] = [FinalizeRecording, DeleteFiles, RetentionRule, BucketAudit];

@Module({})
export class RecordingModule {
  static forRoot(config: RecordingConfig): DynamicModule {
    const Engine = config.RECORDING_ENGINE === 'egress' ? EgressEngine : EmbeddedEngine;
    return {
      module: RecordingModule,
      imports: [BullModule.registerQueue({ name: FINALIZATION_QUEUE }, { name: RETENTION_QUEUE })],
      controllers: [RecordingsRpc],
      providers: [
        Engine,
        { provide: RECORDING_ENGINE, useExisting: Engine },
        ...recordings,
        ...evidence,
        ...rooms,
        ...files,
        {
          provide: 'engine health',
          inject: [RECORDING_ENGINE, Dependencies],
          useFactory: (engine: RecordingEngine, dependencies: Dependencies) =>
            dependencies.register('recorder', () => engine.ping(), { required: false }),
        },
        ...(config.ROLES.includes('worker') ? [FinalizationJobs, RetentionJobs] : []),
      ],
    };
  }
}
