import { Module } from '@nestjs/common';
import { CONFIG, Outbound, type OutboundConfig } from '@classroom/platform';
import { PlayableVideos } from '../delivery/playable-videos.js';
import { PlaybackUrls } from '../delivery/signature.js';
import { StoredFiles } from '../delivery/stored-files.js';
import { ShownPages } from '../delivery/shown-pages.js';
import { DocumentPagesRepository } from '../documents/document-pages.repository.js';
import { DocumentsRepository } from '../documents/documents.repository.js';
import { FinishUpload } from '../uploads/finish-upload.js';
import { UploadReconciler } from '../uploads/upload-reconciler.js';
import { UploadStore } from '../uploads/upload-store.js';
import { UploadsRepository } from '../uploads/uploads.repository.js';
import { CaptionsRepository } from '../videos/captions.repository.js';
import { LibrariesRepository } from '../videos/libraries.repository.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { AddCaption } from './add-caption.js';
import { CreateDocument } from './create-document.js';
import { CreateVideo } from './create-video.js';
import { DescribeVideo } from './describe-video.js';
import { DeleteDocument, EraseDocuments } from './erase-documents.js';
import { EraseLibrary } from './erase-library.js';
import { DeleteVideo, EraseVideos } from './erase-videos.js';
import { ExportedRepository } from './exported.repository.js';
import { LibraryRepository } from './library.repository.js';
import { ListVideos } from './list-videos.js';
import { PublishRecording } from './publish-recording.js';
import { ShowDocuments } from './show-documents.js';

/** For every role. */
@Module({
  providers: [
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
  ],
  exports: [
    DocumentsRepository,
    FinishUpload,
    Outbound,
    PlayableVideos,
    ShownPages,
    StoredFiles,
    UploadStore,
    UploadsRepository,
    VideoQuotas,
    VideosRepository,
  ],
})
export class LibraryModule {}
