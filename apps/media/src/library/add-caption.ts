import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { addCaption, AppError, invalidField, MAX_CAPTION_TRACKS, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { CaptionsRepository } from '../stored/captions.repository.js';
import { captionKeyOf } from '../stored/object-keys.js';
import { VideoQuotas } from '../stored/video-quotas.js';
import { VideosRepository } from '../stored/videos.repository.js';

/** WebVTT's signature: `WEBVTT`, optionally followed by a space or a tab and a comment. */
const SIGNATURE = /^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/;
const CUE = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:[ \t]|$)/;

/**
 * Where the file was in the live stream from which it was cut. Players would apply it, but an uploaded track begins with its video.
 */
const TIME_MAPPING = /^X-TIMESTAMP-MAP[ \t]*=/i;

/**
 * Returns the track with `\n` line ends and without a byte order mark or a time mapping. The text of the cues is not checked: players show it as text.
 * @throws AppError VALIDATION_FAILED if it is not WebVTT
 */
export function webVttOf(content: string): string {
  if (content.includes('\u0000')) throw invalidField('content', 'must not have a NUL');
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!SIGNATURE.test(text)) throw invalidField('content', 'must be WebVTT: its first line is WEBVTT');
  const wrong = text.split('\n').find((line) => line.includes('-->') && !CUE.test(line));
  if (wrong !== undefined) throw invalidField('content', `must be WebVTT: “${wrong.slice(0, 60)}” is no timing`);
  return withoutTimeMapping(text);
}

/** Comments, styles and regions stay: they are blocks of their own. */
function withoutTimeMapping(text: string): string {
  const [header = '', ...blocks] = text.split('\n\n');
  const kept = header.split('\n').filter((line) => !TIME_MAPPING.test(line));
  return [kept.join('\n'), ...blocks].join('\n\n');
}

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
