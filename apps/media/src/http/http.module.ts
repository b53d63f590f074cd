import { Module } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { LibraryModule } from '../library/library.module.js';
import { MediaCors } from './cors.js';
import { DeliveryRoutes } from './delivery.routes.js';
import { LoadDocuments } from './load-documents.js';
import { MediaServer } from './media-server.js';
import { UploadRoutes } from './upload.routes.js';

/** Only for the role `service`. */
@Module({
  imports: [LibraryModule],
  providers: [AllowedOrigins, DeliveryRoutes, LoadDocuments, MediaCors, MediaServer, UploadRoutes],
})
export class HttpModule {}
