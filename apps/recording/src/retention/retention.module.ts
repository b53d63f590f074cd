import { Module } from '@nestjs/common';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { DeleteFiles } from './delete-files.js';
import { RetentionRule } from './retention-rule.js';

@Module({
  imports: [RecordingsModule],
  providers: [DeleteFiles, RetentionRule],
  exports: [DeleteFiles, RetentionRule],
})
export class RetentionModule {}
