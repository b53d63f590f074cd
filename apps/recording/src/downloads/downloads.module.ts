import { Module } from '@nestjs/common';
import { CopiesModule } from '../copies/copies.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { DownloadRecordings } from './download-recordings.js';
import { ListRecordings } from './list-recordings.js';
import { LocateFile } from './locate-file.js';

@Module({
  imports: [CopiesModule, RecordingsModule, RetentionModule],
  providers: [DownloadRecordings, ListRecordings, LocateFile],
})
export class DownloadsModule {}
