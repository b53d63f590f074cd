import { Injectable } from '@nestjs/common';
import type { Modality } from '@classroom/contracts';
import { Decoder, type Picture } from '../decoding/decoder.js';
import { Inputs } from './inputs.js';

/** A question as it came in, its sound and picture in hand and looked at. */
export interface GivenQuestion {
  text: string | undefined;
  /** RIFF, PCM 16. */
  wav: Buffer | undefined;
  /** PNG, JPEG, WebP or GIF. */
  image: Picture | undefined;
  modality: Modality;
}

interface Claimed {
  text?: string | undefined;
  audio?: { key: string } | undefined;
  image?: { key: string; mimeType: string } | undefined;
}

@Injectable()
export class ReadQuestion {
  constructor(
    private readonly inputs: Inputs,
    private readonly decoder: Decoder,
  ) {}

  /** @throws AppError VALIDATION_FAILED (no sound or picture, or another one than was said), PAYLOAD_TOO_LARGE, AI_UNAVAILABLE, SERVICE_UNAVAILABLE, the signal's reason */
  async execute(organizationId: string, { text, audio, image }: Claimed, signal: AbortSignal): Promise<GivenQuestion> {
    const [sound, picture] = await Promise.all([
      audio && this.inputs.take(organizationId, audio.key, 'audio'),
      image && this.inputs.take(organizationId, image.key, 'image'),
    ]);
    const [wav, shown] = await Promise.all([
      sound && this.decoder.sound(sound, signal),
      image && picture && this.decoder.picture(picture, image.mimeType, signal),
    ]);
    return {
      text,
      wav,
      image: shown,
      modality: wav ? (text === undefined ? 'audio' : 'both') : 'text',
    };
  }
}
