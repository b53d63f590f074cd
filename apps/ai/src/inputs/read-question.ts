import { Injectable } from '@nestjs/common';
import type { Modality } from '@classroom/contracts';
import { Decoder, type DecodedImage } from './decoder.js';
import { Inputs } from './inputs.js';

/** A received question, with its sound and picture fetched and decoded. */
export interface DecodedQuestion {
  text: string | undefined;
  /** RIFF, PCM 16. */
  wav: Buffer | undefined;
  /** PNG, JPEG, WebP or GIF. */
  image: DecodedImage | undefined;
  modality: Modality;
}

interface QuestionInput {
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
  async execute(organizationId: string, { text, audio, image }: QuestionInput, signal: AbortSignal): Promise<DecodedQuestion> {
    const [audioBytes, imageBytes] = await Promise.all([
      audio && this.inputs.take(organizationId, audio.key, 'audio'),
      image && this.inputs.take(organizationId, image.key, 'image'),
    ]);
    const [wav, decodedImage] = await Promise.all([
      audioBytes && this.decoder.decodeAudio(audioBytes, signal),
      image && imageBytes && this.decoder.decodeImage(imageBytes, image.mimeType, signal),
    ]);
    return {
      text,
      wav,
      image: decodedImage,
      modality: wav ? (text === undefined ? 'audio' : 'both') : 'text',
    };
  }
}
