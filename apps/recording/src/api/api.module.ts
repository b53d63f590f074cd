import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { RecordingsRpc } from './recordings.rpc.js';

@Module({
  imports: [ControlModule, DownloadsModule],
  controllers: [RecordingsRpc],
})
export class ApiModule {}
