import { Module } from '@nestjs/common';
import { VideosModule } from '../videos/videos.module.js';
import { FinishUpload } from './finish-upload.js';
import { UploadReconciler } from './upload-reconciler.js';
import { UploadStore } from './upload-store.js';
import { UploadsRepository } from './uploads.repository.js';

@Module({
  imports: [VideosModule],
  providers: [FinishUpload, UploadReconciler, UploadStore, UploadsRepository],
  exports: [FinishUpload, UploadStore, UploadsRepository],
})
export class UploadsModule {}
