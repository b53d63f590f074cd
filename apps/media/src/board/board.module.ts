import { Module } from '@nestjs/common';
import { ConversionModule } from '../conversion/conversion.module.js';
import { LibraryModule } from '../library/library.module.js';
import { TranscodingModule } from '../transcoding/transcoding.module.js';
import { BoardTools } from './board-tools.js';
import { DrawBoards } from './draw-boards.js';
import { WriteBoardFile } from './write-board-file.js';
import { SlidePages } from './slide-pages.js';

/** Only for the role `worker`. */
@Module({
  imports: [ConversionModule, LibraryModule, TranscodingModule],
  providers: [BoardTools, DrawBoards, WriteBoardFile, SlidePages],
})
export class BoardModule {}
