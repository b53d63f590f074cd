import { Module } from '@nestjs/common';
import { FileUploader } from './file-uploader.js';
import { Mp4Muxer } from './mp4-muxer.js';

@Module({
  providers: [FileUploader, Mp4Muxer],
  exports: [FileUploader, Mp4Muxer],
})
export class EncodingModule {}
