import { Module } from '@nestjs/common';
import { RpcClient } from '@classroom/messaging';
import { CONFIG, Dependencies } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { EgressEngine } from './egress-engine.js';
import { EmbeddedEngine } from './embedded-engine.js';
import { RECORDING_ENGINE, type RecordingEngine } from './recording-engine.js';

@Module({
  providers: [
    {
      provide: RECORDING_ENGINE,
      inject: [CONFIG, RpcClient, Dependencies],
      useFactory: (config: RecordingConfig, rpc: RpcClient, dependencies: Dependencies): RecordingEngine => {
        const engine = config.RECORDING_ENGINE === 'egress' ? new EgressEngine(config) : new EmbeddedEngine(config, rpc);
        dependencies.register('recorder', () => engine.ping(), { required: false });
        return engine;
      },
    },
  ],
  exports: [RECORDING_ENGINE],
})
export class EngineModule {}
