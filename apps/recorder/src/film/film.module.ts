import { Module } from '@nestjs/common';
import { FileDelivery } from './file-delivery.js';
import { FilmCutter } from './film-cutter.js';

@Module({
  providers: [FileDelivery, FilmCutter],
  exports: [FileDelivery, FilmCutter],
})
export class FilmModule {}
