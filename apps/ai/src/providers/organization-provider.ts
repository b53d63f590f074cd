import { invalidField, type AiTask } from '@classroom/contracts';
import { durationOf, readWav } from '../inputs/wav.js';
import type { AiProvider, ChatAnswer, ChatRequest, ModelName, Voice } from '../models/ai-provider.js';
import { NO_USAGE, type ChatCompleter, type Embedder, type SpeechRecognizer, type SpeechSynthesizer } from '../models/task-models.js';
import { estimateTokens } from '../models/token-estimate.js';
import type { SingleCalls } from './single-call.js';

/** The model of each task. A task without a model is not available. */
export interface TaskModels {
  chat: ChatCompleter;
  chatFallback?: ModelName;
  recognizer: { model: SpeechRecognizer; calls: SingleCalls };
  synthesizer: { model: SpeechSynthesizer; calls: SingleCalls };
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
    const { recognizer } = this.models;
    if (recognizer.model.isMissing) {
      throw invalidField(
        'audio',
        'can’t be understood here: no speech-to-text model is configured, and the embedded recognizer (pocketsphinx) is not installed',
      );
    }
    const { durationSeconds: audioSeconds } = readWav(wav);
    const { model, calls } = recognizer;
    const usedOf = ({ inputTokens = 0, outputTokens = 0 }: Awaited<ReturnType<SpeechRecognizer['transcribe']>>) => {
      return { ...NO_USAGE, inputTokens, outputTokens, audioSeconds };
    };
    const transcript = await calls.run('transcription', signal, (signal) => model.transcribe(wav, signal), usedOf);
    return { text: transcript.text, by: model.name, used: usedOf(transcript) };
  }

  async synthesize(text: string, voiceName: string | undefined, signal: AbortSignal) {
    const { model, calls } = this.models.synthesizer;
    await model.checkVoice(voiceName);
    const usedOf = (audio: Parameters<typeof durationOf>[0]) => ({ ...NO_USAGE, characters: text.length, audioSeconds: durationOf(audio) });
    const audio = await calls.run('speech', signal, (signal) => model.synthesize(text, voiceName, signal), usedOf);
    return { audio, by: model.name, used: usedOf(audio) };
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
    return this.models.synthesizer.model.voices();
  }

  /** @throws AppError VALIDATION_FAILED that names `voiceName`, if it is certain that no such voice exists */
  checkVoice(voiceName: string | undefined): Promise<void> {
    return this.models.synthesizer.model.checkVoice(voiceName);
  }

  can(task: AiTask): boolean {
    return this.nameOf(task) !== undefined;
  }

  /** The model that is called first for a task; undefined if the task is not available. */
  nameOf(task: AiTask): ModelName | undefined {
    const { chat, chatFallback, recognizer, synthesizer, embedder } = this.models;
    const names: Record<AiTask, ModelName | undefined> = {
      chat: chat.name,
      chatFallback,
      speechToText: recognizer.model.isMissing ? undefined : recognizer.model.name,
      textToSpeech: synthesizer.model.isMissing ? undefined : synthesizer.model.name,
      embedding: embedder?.model.name,
    };
    return names[task];
  }
}
