import { Injectable } from '@nestjs/common';
import { invalidField, type Modality } from '@classroom/contracts';
import { imageTypeOf } from '../speech/image-type.js';
import { readWav } from '../speech/wav.js';
import { Inputs } from './inputs.js';

/** A question as it came in, its sound and picture in hand and looked at. */
export interface GivenQuestion {
  text: string | undefined;
  /** RIFF, PCM 16. */
  wav: Buffer | undefined;
  image: { bytes: Buffer; mimeType: string } | undefined;
  modality: Modality;
}

interface Claimed {
  text?: string | undefined;
  audio?: { key: string } | undefined;
  image?: { key: string; mimeType: string } | undefined;
}

@Injectable()
export class ReadQuestion {
  constructor(private readonly inputs: Inputs) {}

  /** @throws AppError VALIDATION_FAILED (no sound or picture, or another one than was said), PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE */
  async execute(organizationId: string, { text, audio, image }: Claimed): Promise<GivenQuestion> {
    const [wav, bytes] = await Promise.all([
      audio && this.inputs.take(organizationId, audio.key, 'audio'),
      image && this.inputs.take(organizationId, image.key, 'image'),
    ]);
    if (wav) readWav(wav);
    if (bytes && imageTypeOf(bytes) !== image?.mimeType) throw invalidField('image', `is not what imageMimeType says (${image?.mimeType})`);
    return {
      text,
      wav,
      // Passed on as it came.
      image: image && bytes && { bytes, mimeType: image.mimeType },
      modality: wav ? (text === undefined ? 'audio' : 'both') : 'text',
    };
  }
}
