import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { CreateVideo } from './create-video.js';
import { DeleteVideo } from './delete-video.js';
import { EraseLibrary } from './erase-library.js';
import { DescribeVideo } from './describe-video.js';
import { ExportedRepository } from './exported.repository.js';
import { ListVideos } from './list-videos.js';
import { PublishRecording } from './publish-recording.js';

@Module({
  imports: [DeliveryModule, ErasureModule, QuotasModule, UploadsModule, VideosModule],
  providers: [CreateVideo, DeleteVideo, DescribeVideo, EraseLibrary, ExportedRepository, ListVideos, PublishRecording],
})
export class LibraryModule {}
