import { Module } from '@nestjs/common';
import { PlayableVideos } from '../delivery/playable-videos.js';
import { PlaybackUrls } from '../delivery/signature.js';
import { StoredFiles } from '../delivery/stored-files.js';
import { FinishUpload } from '../uploads/finish-upload.js';
import { UploadReconciler } from '../uploads/upload-reconciler.js';
import { UploadStore } from '../uploads/upload-store.js';
import { UploadsRepository } from '../uploads/uploads.repository.js';
import { CaptionsRepository } from '../videos/captions.repository.js';
import { LibrariesRepository } from '../videos/libraries.repository.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { AddCaption } from './add-caption.js';
import { CreateVideo } from './create-video.js';
import { DescribeVideo } from './describe-video.js';
import { DeleteVideo, EraseLibrary, EraseVideos } from './erase-videos.js';
import { ExportedRepository } from './exported.repository.js';
import { LibraryRepository } from './library.repository.js';
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
