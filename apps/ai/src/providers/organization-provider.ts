import { invalidField, type AiTask } from '@classroom/contracts';
import { durationOf, readWav } from '../sound/wav.js';
import type { AiProvider, ChatAnswer, ChatRequest, ModelName, Voice } from '../models/ai-provider.js';
import type { SingleCalls } from './single-call.js';
import { NO_USAGE, type Chatter, type Embedder, type Listener, type Speaker } from '../models/tasks.js';
import { estimateTokens } from '../models/token-estimate.js';

/** The model of each task. A task without a model is not available. */
export interface TaskModels {
  chat: Chatter;
  chatFallback?: ModelName;
  listener: { model: Listener; calls: SingleCalls };
  speaker: { model: Speaker; calls: SingleCalls };
  embedder?: { model: Embedder; calls: SingleCalls };
}

export class OrganizationProvider implements AiProvider {
  constructor(private readonly models: TaskModels) {}

  get isOffline(): boolean {
    return this.models.chat.name.provider === 'offline';
  }

  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> {
    return this.models.chat.answer(request, signal);
  }

  async transcribe(wav: Uint8Array, signal: AbortSignal) {
    const { listener } = this.models;
    if (listener.model.isMissing) {
      throw invalidField(
        'audio',
        'can’t be understood here: no speech-to-text model is configured, and the embedded recognizer (pocketsphinx) is not installed',
      );
    }
    const { durationSeconds: audioSeconds } = readWav(wav);
    const { model, calls } = listener;
    const usedOf = ({ inputTokens = 0, outputTokens = 0 }: Awaited<ReturnType<Listener['hear']>>) => {
      return { ...NO_USAGE, inputTokens, outputTokens, audioSeconds };
    };
    const heard = await calls.run('transcription', signal, (signal) => model.hear(wav, signal), usedOf);
    return { text: heard.text, by: model.name, used: usedOf(heard) };
  }

  async speak(text: string, voiceName: string | undefined, signal: AbortSignal) {
    const { model, calls } = this.models.speaker;
    await model.check(voiceName);
    const usedOf = (sound: Parameters<typeof durationOf>[0]) => ({ ...NO_USAGE, characters: text.length, audioSeconds: durationOf(sound) });
    const sound = await calls.run('speech', signal, (signal) => model.speak(text, voiceName, signal), usedOf);
    return { sound, by: model.name, used: usedOf(sound) };
  }

  async embed(texts: string[], signal: AbortSignal) {
    const { embedder } = this.models;
    if (!embedder) return undefined;
    const { model, calls } = embedder;
    const usedOf = ({ tokens }: Awaited<ReturnType<Embedder['embed']>>) => ({
      ...NO_USAGE,
      inputTokens: tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0),
      isEstimated: tokens === undefined,
    });
    const embedded = await calls.run('embeddings', signal, (signal) => model.embed(texts, signal), usedOf);
    return { vectors: embedded.vectors, by: model.name, used: usedOf(embedded) };
  }

  voices(): Promise<Voice[]> {
    return this.models.speaker.model.voices();
  }

  /** @throws AppError VALIDATION_FAILED that names `voiceName`, if it is certain that no such voice exists */
  checkVoice(voiceName: string | undefined): Promise<void> {
    return this.models.speaker.model.check(voiceName);
  }

  can(task: AiTask): boolean {
    return this.nameOf(task) !== undefined;
  }

  /** The model that is called first for a task; undefined if the task is not available. */
  nameOf(task: AiTask): ModelName | undefined {
    const { chat, chatFallback, listener, speaker, embedder } = this.models;
    const names: Record<AiTask, ModelName | undefined> = {
      chat: chat.name,
      chatFallback,
      speechToText: listener.model.isMissing ? undefined : listener.model.name,
      textToSpeech: speaker.model.isMissing ? undefined : speaker.model.name,
      embedding: embedder?.model.name,
    };
    return names[task];
  }
}
