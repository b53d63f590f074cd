import { Module } from '@nestjs/common';
import { AddCaption } from '../captions/add-caption.js';
import { CaptionsRepository } from '../captions/captions.repository.js';
import { PlayableVideos } from '../delivery/playable-videos.js';
import { PlaybackUrls } from '../delivery/playback-urls.js';
import { StoredFiles } from '../delivery/stored-files.js';
import { EraseVideos } from '../erasure/erase-videos.js';
import { LibrariesRepository } from '../quotas/libraries.repository.js';
import { VideoQuotas } from '../quotas/video-quotas.js';
import { FinishUpload } from '../uploads/finish-upload.js';
import { UploadReconciler } from '../uploads/upload-reconciler.js';
import { UploadStore } from '../uploads/upload-store.js';
import { UploadsRepository } from '../uploads/uploads.repository.js';
import { LibraryRepository } from '../videos/library.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { CreateVideo } from './create-video.js';
import { DeleteVideo } from './delete-video.js';
import { DescribeVideo } from './describe-video.js';
import { EraseLibrary } from './erase-library.js';
import { ExportedRepository } from './exported.repository.js';
import { ListVideos } from './list-videos.js';
import { PublishRecording } from './publish-recording.js';

/** For every role. */
@Module({
  providers: [
    // videos
    CaptionsRepository,
    LibrariesRepository,
    VideoQuotas,
    VideosRepository,
    // uploads
    FinishUpload,
    UploadReconciler,
    UploadStore,
    UploadsRepository,
    // delivery
    PlayableVideos,
    PlaybackUrls,
    StoredFiles,
    // library
    AddCaption,
    CreateVideo,
    DeleteVideo,
    DescribeVideo,
    EraseLibrary,
    EraseVideos,
    ExportedRepository,
    LibraryRepository,
    ListVideos,
    PublishRecording,
  ],
  exports: [FinishUpload, PlayableVideos, StoredFiles, UploadStore, UploadsRepository, VideoQuotas, VideosRepository],
})
export class LibraryModule {}
