import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { CONFIG, Outbound, PlatformModule, type OutboundConfig } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { BoardTools } from './board/board-tools.js';
import { DrawBoards } from './board/draw-boards.js';
import { SlidePages } from './board/slide-pages.js';
import { WriteBoardFile } from './board/write-board-file.js';
import type { MediaConfig } from './config.js';
import { ConvertDocument, DueDocuments } from './conversion/convert-document.js';
import { DocumentTools } from './conversion/document-tools.js';
import { PlayableVideos } from './delivery/playable-videos.js';
import { ShownPages } from './delivery/shown-pages.js';
import { PlaybackUrls } from './delivery/signature.js';
import { StoredFiles } from './delivery/stored-files.js';
import { MediaCors } from './http/cors.js';
import { DeliveryRoutes } from './http/delivery.routes.js';
import { LoadDocuments } from './http/load-documents.js';
import { MediaServer } from './http/media-server.js';
import { UploadRoutes } from './http/upload.routes.js';
import { AddCaption } from './library/add-caption.js';
import { CreateDocument, CreateVideo } from './library/create-uploads.js';
import { DeleteDocument, DeleteVideo, EraseDocuments, EraseLibrary, EraseVideos } from './library/erase-library.js';
import { ExportedRepository } from './library/exported.repository.js';
import { LibraryRepository } from './library/library.repository.js';
import { DescribeVideo, ListVideos, ShowDocuments } from './library/list-library.js';
import { PublishRecording } from './library/publish-recording.js';
import { entities } from './schema/sql.js';
import { CaptionsRepository } from './stored/captions.repository.js';
import { DocumentPagesRepository } from './stored/document-pages.repository.js';
import { DocumentsRepository } from './stored/documents.repository.js';
import { LibrariesRepository } from './stored/libraries.repository.js';
import { VideoQuotas } from './stored/video-quotas.js';
import { VideosRepository } from './stored/videos.repository.js';
import { DueVideos, TranscodingGauges } from './transcoding/due-videos.js';
import { TranscodeVideo } from './transcoding/transcode-video.js';
import { TranscodingTools } from './transcoding/transcoding-tools.js';
import { WaitingVideosRepository } from './transcoding/waiting-videos.repository.js';
import { WorkFolders } from './transcoding/work-folders.js';
import { FinishUpload, UploadReconciler } from './uploads/finish-upload.js';
import { UploadStore } from './uploads/upload-store.js';
import { UploadsRepository } from './uploads/uploads.repository.js';

@Module({})
export class AppModule {
  static forRoot(config: MediaConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'media', config, entities }),
        MessagingModule.forRoot({ name: 'media', service: 'media', config }),
        StorageModule.forRoot(config),
      ],
      providers: [
        ...ofEveryRole(),
        ...(config.ROLES.includes('service') ? ofServices() : []),
        ...(config.ROLES.includes('worker') ? ofWorkers() : []),
      ],
    };
  }
}

const ofEveryRole = (): Provider[] => [
  { provide: Outbound, inject: [CONFIG], useFactory: (config: OutboundConfig) => new Outbound(config) },
  // videos
  CaptionsRepository,
  LibrariesRepository,
  VideoQuotas,
  VideosRepository,
  // documents
  DocumentPagesRepository,
  DocumentsRepository,
  // uploads
  FinishUpload,
  UploadReconciler,
  UploadStore,
  UploadsRepository,
  // delivery
  PlayableVideos,
  PlaybackUrls,
  ShownPages,
  StoredFiles,
  // library
  AddCaption,
  CreateDocument,
  CreateVideo,
  DeleteDocument,
  DeleteVideo,
  DescribeVideo,
  EraseDocuments,
  EraseLibrary,
  EraseVideos,
  ExportedRepository,
  LibraryRepository,
  ListVideos,
  PublishRecording,
  ShowDocuments,
];

// What a process of another role does not need, it does not load.
const ofServices = (): Provider[] => [AllowedOrigins, DeliveryRoutes, LoadDocuments, MediaCors, MediaServer, UploadRoutes];

const ofWorkers = (): Provider[] => [
  // transcoding
  DueVideos,
  TranscodeVideo,
  TranscodingGauges,
  TranscodingTools,
  WaitingVideosRepository,
  WorkFolders,
  // conversion
  ConvertDocument,
  DocumentTools,
  DueDocuments,
  // board
  BoardTools,
  DrawBoards,
  WriteBoardFile,
  SlidePages,
];
