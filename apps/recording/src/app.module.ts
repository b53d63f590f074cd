import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { MessagingModule, RetentionSweepModule, RpcClient } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { Dependencies, Outbound, PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import type { RecordingConfig } from './config.js';
import { ApplyEgress, AutoRecorder, EgressConsumer } from './control/egress.consumer.js';
import { MergeRecordings, ResumeRecording, StartRecording } from './control/start-recording.js';
import { ApplyClassEnd, RoomsConsumer } from './control/rooms.consumer.js';
import { StopRecording } from './control/stop-recording.js';
import { BucketSecrets, DeleteBucket, FindBucket, SetBucket } from './copies/buckets.js';
import { BucketsRepository } from './copies/buckets.repository.js';
import { CopiesRepository } from './copies/copies.repository.js';
import { CopyRecording } from './copies/copy-recording.js';
import { AdoptCopies, CopyGauges, DueCopies } from './copies/due-copies.js';
import { RecordingWatchdog } from './control/recording-watchdog.js';
import { EgressEngine } from './control/egress-engine.js';
import { EmbeddedEngine } from './control/embedded-engine.js';
import { RECORDING_ENGINE, type RecordingEngine } from './control/recording-engine.js';
import { BucketAudit } from './files/bucket-audit.js';
import { DownloadRecordings, ListRecordings, LocateFile } from './files/list-recordings.js';
import { DueRecordings, FinalizeRecording, RecordingGauges } from './files/finalize-recording.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RoomStatusNotifier } from './recordings/room-status-notifier.js';
import { RoomsRepository } from './recordings/rooms.repository.js';
import { DeleteFiles, EraseRecordings, LateFile } from './retention/delete-files.js';
import { ExportedRepository } from './retention/exported.repository.js';
import { CountOldRecordings, HoldRecording, OrganizationHours, RetentionRule } from './retention/retention-rule.js';
import { RetentionHoursRepository } from './retention/retention-hours.repository.js';
import { entities } from './schema/sql.js';

/** What the rule of retention injects. The sweep's module imports it, so it is a module of its own. */
@Module({
  providers: [RecordingsRepository, RetentionHoursRepository],
  exports: [RecordingsRepository, RetentionHoursRepository],
})
class RetainedModule {}

@Module({})
export class AppModule {
  static forRoot(config: RecordingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'recording', config, entities }),
        MessagingModule.forRoot({ name: 'recording', service: 'recording', config }),
        StorageModule.forRoot(config),
        RetainedModule,
        RetentionSweepModule.forRoot({ rules: [OrganizationHours], imports: [RetainedModule] }),
      ],
      providers: [
        // recordings
        RoomsRepository,
        RoomStatusNotifier,
        // engine
        recordingEngine(config),
        // copies
        { provide: Outbound, useFactory: () => new Outbound(config) },
        AdoptCopies,
        BucketSecrets,
        BucketsRepository,
        CopiesRepository,
        CopyGauges,
        CopyRecording,
        DeleteBucket,
        DueCopies,
        FindBucket,
        SetBucket,
        // retention
        CountOldRecordings,
        DeleteFiles,
        EraseRecordings,
        ExportedRepository,
        HoldRecording,
        LateFile,
        RetentionRule,
        // control
        ApplyClassEnd,
        AutoRecorder,
        MergeRecordings,
        ResumeRecording,
        RoomsConsumer,
        StartRecording,
        StopRecording,
        // egress
        ApplyEgress,
        EgressConsumer,
        RecordingWatchdog,
        // files
        BucketAudit,
        DownloadRecordings,
        DueRecordings,
        FinalizeRecording,
        ListRecordings,
        LocateFile,
        RecordingGauges,
      ],
    };
  }
}

const recordingEngine = (config: RecordingConfig): Provider => ({
  provide: RECORDING_ENGINE,
  inject: [RpcClient, Dependencies],
  useFactory: (rpc: RpcClient, dependencies: Dependencies): RecordingEngine => {
    const engine = config.RECORDING_ENGINE === 'egress' ? new EgressEngine(config) : new EmbeddedEngine(config, rpc);
    dependencies.register('recorder', () => engine.ping(), { required: false });
    return engine;
  },
});
