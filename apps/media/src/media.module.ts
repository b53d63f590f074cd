import { AllowedOrigins } from '@classroom/messaging';
import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AddCaption } from './captions/add-caption.js';
import { CaptionsRepository } from './captions/captions.repository.js';
import type { MediaConfig } from './config.js';
import { DeliveryRoutes } from './delivery/delivery.routes.js';
import { PlayableVideos } from './delivery/playable-videos.js';
import { PlaybackUrls } from './delivery/playback-urls.js';
import { StoredFiles } from './delivery/stored-files.js';
import { EraseVideos } from './erasure/erase-videos.js';
import { MediaServer } from './http/media-server.js';
import { TRANSCODING_QUEUE, transcodingProviders } from './transcoding/index.js';
import { FinishUpload } from './uploads/finish-upload.js';
import { UnfinishedUploads } from './uploads/unfinished-uploads.js';
import { UploadRoutes } from './uploads/upload.routes.js';
import { UploadStore } from './uploads/upload-store.js';
import { UploadsRepository } from './uploads/uploads.repository.js';
import { CreateVideo } from './videos/create-video.js';
import { DeleteVideo } from './videos/delete-video.js';
import { DescribeVideo } from './videos/describe-video.js';
import { LibraryRepository } from './videos/library.repository.js';
import { ListVideos } from './videos/list-videos.js';
import { PublishRecording } from './videos/publish-recording.js';
import { VideosRepository } from './videos/videos.repository.js';
import { VideosRpc } from './videos/videos.rpc.js';

const videos: Provider[] = [VideosRepository, LibraryRepository, CreateVideo, ListVideos, DescribeVideo, DeleteVideo, PublishRecording];
const captions: Provider[] = [CaptionsRepository, AddCaption];
const uploads: Provider[] = [UploadsRepository, UploadStore, FinishUpload, UnfinishedUploads];
const delivery: Provider[] = [PlaybackUrls, PlayableVideos, StoredFiles];
const http: Provider[] = [AllowedOrigins, UploadRoutes, DeliveryRoutes, MediaServer];

@Module({})
export class MediaModule {
  static forRoot(config: MediaConfig): DynamicModule {
    return {
      module: MediaModule,
      imports: [BullModule.registerQueue({ name: TRANSCODING_QUEUE })],
      controllers: [VideosRpc],
      providers: [
        ...videos,
        ...captions,
        ...uploads,
        ...delivery,
        EraseVideos,
        ...(config.ROLES.includes('service') ? http : []),
        ...transcodingProviders(config),
      ],
    };
  }
}
