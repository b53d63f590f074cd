import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { FilesModule } from '../files/files.module.js';
import { RecordingsRpc } from './recordings.rpc.js';

@Module({
  imports: [ControlModule, FilesModule],
  controllers: [RecordingsRpc],
})
export class ApiModule {}
