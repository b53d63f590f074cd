import { Injectable } from '@nestjs/common';
import type { Modality } from '@classroom/contracts';
import { Decoder, type Picture } from '../decoding/decoder.js';
import { Inputs } from './inputs.js';

/** A received question, with its sound and picture fetched and decoded. */
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

  /**
   * @throws AppError VALIDATION_FAILED (undecodable sound or picture, or a picture of another type than stated), PAYLOAD_TOO_LARGE,
   * AI_UNAVAILABLE, SERVICE_UNAVAILABLE, the signal's reason
   */
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
