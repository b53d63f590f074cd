import type { EmbeddingModelV4, LanguageModelV4, SpeechModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import { embedMany, generateSpeech, generateText, transcribe } from 'ai';
import { readMadeWav } from '../sound/wav.js';
import type { ModelName, Sound, Voice } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';
import type { Embedder, Listener, Speaker } from '../models/tasks.js';

/** We retry ourselves, and telemetry must not contain the content. */
const quietly = (abortSignal: AbortSignal) => ({ maxRetries: 0, abortSignal, telemetry: { isEnabled: false } });

/** OpenAI's voices. A compatible server may have others, which callers request by name. */
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];
const DEFAULT_VOICE = 'alloy';

const TRANSCRIBE =
  'Write down word for word what is said in the recording, in its language. ' +
  'Answer with those words alone; with nothing where nobody speaks.';

export class SdkListener implements Listener {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: TranscriptionModelV4,
  ) {}

  async hear(wav: Uint8Array, signal: AbortSignal) {
    const { text } = await transcribe({ model: this.model, audio: wav, ...quietly(signal) });
    return { text };
  }
}

/** Transcribes with a chat model that accepts sound. */
export class ChatListener implements Listener {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: LanguageModelV4,
  ) {}

  async hear(wav: Uint8Array, signal: AbortSignal) {
    const content = [{ type: 'file' as const, data: wav, mediaType: 'audio/wav' }];
    const messages = [{ role: 'user' as const, content }];
    const { text, usage } = await generateText({ model: this.model, instructions: TRANSCRIBE, messages, ...quietly(signal) });
    const { inputTokens, outputTokens } = usage;
    return { text: text.trim(), inputTokens, outputTokens };
  }
}

export class SdkSpeaker implements Speaker {
  readonly isMissing = false;

  constructor(
    readonly name: ModelName,
    private readonly model: SpeechModelV4,
  ) {}

  async speak(text: string, voice: string = DEFAULT_VOICE, signal: AbortSignal): Promise<Sound> {
    const { audio } = await generateSpeech({ model: this.model, text, voice, outputFormat: 'wav', ...quietly(signal) });
    try {
      return readMadeWav(audio.uint8Array);
    } catch {
      throw new ModelFailure('unreadable');
    }
  }

  async voices(): Promise<Voice[]> {
    return VOICES.map((voiceName) => ({ voiceName, language: 'mul', isDefault: voiceName === DEFAULT_VOICE }));
  }

  async check(): Promise<void> {
    // Only the server knows its voices.
  }
}

export class SdkEmbedder implements Embedder {
  constructor(
    readonly name: ModelName,
    private readonly model: EmbeddingModelV4,
  ) {}

  async embed(values: string[], signal: AbortSignal) {
    const { embeddings, usage } = await embedMany({ model: this.model, values, ...quietly(signal) });
    return { vectors: embeddings, tokens: Number.isFinite(usage.tokens) ? usage.tokens : undefined };
  }
}
