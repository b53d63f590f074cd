import { Module } from '@nestjs/common';
import { LibraryModule } from '../library/library.module.js';
import { TranscodingModule } from '../transcoding/transcoding.module.js';
import { ConvertDocument } from './convert-document.js';
import { DocumentTools } from './document-tools.js';
import { DueDocuments } from './due-documents.js';

/** Only for the role `worker`. */
@Module({
  imports: [LibraryModule, TranscodingModule],
  providers: [ConvertDocument, DocumentTools, DueDocuments],
  exports: [DocumentTools],
})
export class ConversionModule {}
