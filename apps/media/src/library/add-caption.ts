import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { addCaption, AppError, invalidField, MAX_CAPTION_TRACKS, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { CaptionsRepository } from '../videos/captions.repository.js';
import { captionKeyOf } from '../videos/object-keys.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { webVttOf } from './web-vtt.js';

@Injectable()
export class AddCaption {
  constructor(
    private readonly database: Database,
    private readonly quotas: VideoQuotas,
    private readonly videos: VideosRepository,
    private readonly captions: CaptionsRepository,
    private readonly storage: ObjectStorage,
  ) {}

  /** @throws AppError VIDEO_NOT_FOUND, VALIDATION_FAILED, QUOTA_EXCEEDED */
  @Handles(addCaption)
  async execute(input: RpcInput<typeof addCaption>) {
    const { organizationId, videoId, label, isDefault } = input;
    const language = canonical(input.language);
    const content = Buffer.from(webVttOf(input.content));
    const video = await this.videos.findOwned(organizationId, videoId);
    if (!video) throw new AppError('VIDEO_NOT_FOUND');
    const known = await this.captions.ofVideo(videoId);
    if (known.length >= MAX_CAPTION_TRACKS && !known.some((caption) => caption.language === language)) {
      throw invalidField('language', `must be one that the video has already: it has ${MAX_CAPTION_TRACKS} tracks`);
    }
    await this.quotas.requireSpace(organizationId, content.length, 'content');
    const body = Readable.from([content]);
    await this.storage.upload(captionKeyOf(video, language), body, { contentType: 'text/vtt; charset=utf-8' });
    await failpoint('media.caption.before-commit');
    await this.database.transaction(async (tx) => {
      await this.videos.lock(tx, videoId);
      await this.captions.put(tx, videoId, { language, label, isDefault }, content.length);
      await this.videos.countCaptions(tx, videoId);
    });
    return { videoId, captions: await this.captions.ofVideo(videoId) };
  }
}

/** Normalizes the tag, so that `pt-br` and `pt-BR` are one track. @throws AppError VALIDATION_FAILED */
function canonical(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? language;
  } catch (cause) {
    throw invalidField('language', 'must be a language tag such as en or pt-BR', cause);
  }
}
