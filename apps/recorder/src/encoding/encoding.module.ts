import { Module } from '@nestjs/common';
import { FileMerger } from './file-merger.js';
import { FileUploader } from './file-uploader.js';
import { MediaPrograms } from './media-programs.js';
import { Mp4Muxer } from './mp4-muxer.js';

@Module({
  providers: [FileMerger, FileUploader, MediaPrograms, Mp4Muxer],
  exports: [FileMerger, FileUploader, Mp4Muxer],
})
export class EncodingModule {}
