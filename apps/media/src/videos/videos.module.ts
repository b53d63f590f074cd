import { Module } from '@nestjs/common';
import { LibraryRepository } from './library.repository.js';
import { VideosRepository } from './videos.repository.js';

@Module({
  providers: [LibraryRepository, VideosRepository],
  exports: [LibraryRepository, VideosRepository],
})
export class VideosModule {}
