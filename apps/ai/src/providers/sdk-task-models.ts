import type { EmbeddingModelV4, LanguageModelV4, SpeechModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import { embedMany, generateSpeech, generateText, transcribe } from 'ai';
import { readSynthesizedWav } from '../inputs/wav.js';
import type { ModelName, PcmAudio, Voice } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';
import type { Embedder, SpeechRecognizer, SpeechSynthesizer } from '../models/task-models.js';

/** We retry ourselves, and telemetry must not contain the content. */
const callOptions = (abortSignal: AbortSignal) => ({ maxRetries: 0, abortSignal, telemetry: { isEnabled: false } });

/** OpenAI's voices. A compatible server may have others, which callers request by name. */
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];
const DEFAULT_VOICE = 'alloy';

const TRANSCRIBE =
  'Write down word for word what is said in the recording, in its language. ' +
  'Answer with those words alone; with nothing where nobody speaks.';

export class SdkRecognizer implements SpeechRecognizer {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: TranscriptionModelV4,
  ) {}

  async transcribe(wav: Uint8Array, signal: AbortSignal) {
    const { text } = await transcribe({ model: this.model, audio: wav, ...callOptions(signal) });
    return { text };
  }
}

/** Transcribes with a chat model that accepts sound. */
export class ChatModelRecognizer implements SpeechRecognizer {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: LanguageModelV4,
  ) {}

  async transcribe(wav: Uint8Array, signal: AbortSignal) {
    const content = [{ type: 'file' as const, data: wav, mediaType: 'audio/wav' }];
    const messages = [{ role: 'user' as const, content }];
    const { text, usage } = await generateText({ model: this.model, instructions: TRANSCRIBE, messages, ...callOptions(signal) });
    const { inputTokens, outputTokens } = usage;
    return { text: text.trim(), inputTokens, outputTokens };
  }
}

export class SdkSynthesizer implements SpeechSynthesizer {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: SpeechModelV4,
  ) {}

  async synthesize(text: string, voice: string = DEFAULT_VOICE, signal: AbortSignal): Promise<PcmAudio> {
    const { audio } = await generateSpeech({ model: this.model, text, voice, outputFormat: 'wav', ...callOptions(signal) });
    try {
      return readSynthesizedWav(audio.uint8Array);
    } catch {
      throw new ModelFailure('unreadable');
    }
  }

  async voices(): Promise<Voice[]> {
    return VOICES.map((voiceName) => ({ voiceName, language: 'mul', isDefault: voiceName === DEFAULT_VOICE }));
  }

  async checkVoice(): Promise<void> {
    // Only the server knows its voices.
  }
}

export class SdkEmbedder implements Embedder {
  constructor(
    readonly name: ModelName,
    private readonly model: EmbeddingModelV4,
  ) {}

  async embed(values: string[], signal: AbortSignal) {
    const { embeddings, usage } = await embedMany({ model: this.model, values, ...callOptions(signal) });
    return { vectors: embeddings, tokens: Number.isFinite(usage.tokens) ? usage.tokens : undefined };
  }
}
