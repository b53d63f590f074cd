import type { LanguageModelV4 } from '@ai-sdk/provider';
import { Espeak } from '../speech/espeak.js';
import { Pocketsphinx } from '../speech/pocketsphinx.js';
import type { ModelName } from '../models/ai-provider.js';
import { ChatModel, ChatModels } from './chat-model.js';
import type { Limits, RetryPolicy } from './call-limits.js';
import { OFFLINE_NAME } from './offline/offline-model.js';
import { OrganizationProvider } from './organization-provider.js';
import { chatModel, embeddingModel, speechModel, transcriptionModel, type Choice } from './sdk-models.js';
import { ChatModelRecognizer, SdkEmbedder, SdkRecognizer, SdkSynthesizer } from './sdk-task-models.js';
import { SingleCalls } from './single-call.js';
import type { SpeechRecognizer } from '../models/task-models.js';

/** The model of each task. */
export interface Choices {
  chat: Choice;
  chatFallback?: Choice;
  speechToText?: Choice;
  textToSpeech?: Choice;
  embedding?: Choice;
}

export interface RegistryOptions {
  limits: Limits;
  retryPolicy?: RetryPolicy;
  espeak: { program: string; searchPath: string };
  pocketsphinx: { program: string; searchPath: string };
}

/**
 * Builds the providers of organizations. All organizations without models of their own share the installation's models and their circuit
 * breakers.
 */
export class ModelRegistry {
  private readonly espeak: Espeak;
  private readonly chats = new WeakMap<Choice, ChatModel>();
  private readonly calls = new WeakMap<Choice, SingleCalls>();
  private readonly espeakCalls: SingleCalls;
  private readonly pocketsphinx: Pocketsphinx;
  private readonly pocketsphinxCalls: SingleCalls;

  constructor(private readonly options: RegistryOptions) {
    this.espeak = new Espeak(options.espeak.program, options.espeak.searchPath);
    this.espeakCalls = this.singleCalls(this.espeak.name);
    this.pocketsphinx = new Pocketsphinx(options.pocketsphinx.program, options.pocketsphinx.searchPath);
    this.pocketsphinxCalls = this.singleCalls(this.pocketsphinx.name, true);
  }

  /** Checks whether the local synthesizer and the embedded recognizer are installed. */
  async prepare(): Promise<void> {
    await Promise.all([this.espeak.voices(), this.pocketsphinx.prepare()]);
  }

  /** The same Choice object always gives the same model, with its circuit breaker. */
  build({ chat, chatFallback, speechToText, textToSpeech, embedding }: Choices): OrganizationProvider {
    return new OrganizationProvider({
      chat: new ChatModels(this.chatModelOf(chat), chatFallback && this.chatModelOf(chatFallback)),
      chatFallback: chatFallback && nameOf(chatFallback),
      recognizer: isUsable(speechToText)
        ? { model: recognizer(speechToText), calls: this.callsOf(speechToText, true) }
        : { model: this.pocketsphinx, calls: this.pocketsphinxCalls },
      synthesizer: isUsable(textToSpeech)
        ? { model: new SdkSynthesizer(nameOf(textToSpeech), speechModel(textToSpeech)), calls: this.callsOf(textToSpeech) }
        : { model: this.espeak, calls: this.espeakCalls },
      embedder: isUsable(embedding)
        ? { model: new SdkEmbedder(nameOf(embedding), embeddingModel(embedding)), calls: this.callsOf(embedding) }
        : undefined,
    });
  }

  private chatModelOf(choice: Choice): ChatModel {
    let model = this.chats.get(choice);
    if (!model) {
      model = new ChatModel(nameOf(choice), chatModel(choice), supportsVision(choice), this.options.limits, this.options.retryPolicy);
      this.chats.set(choice, model);
    }
    return model;
  }

  private callsOf(choice: Choice, isLong = false): SingleCalls {
    let calls = this.calls.get(choice);
    if (!calls) this.calls.set(choice, (calls = this.singleCalls(nameOf(choice), isLong)));
    return calls;
  }

  /** @param isLong true for speech recognition: a recording of minutes may take as long as a whole answer */
  private singleCalls(name: ModelName, isLong = false): SingleCalls {
    const { firstTokenMs, idleMs, totalMs } = this.options.limits;
    return new SingleCalls(name, { timeoutMs: isLong ? totalMs : firstTokenMs + idleMs, totalMs }, this.options.retryPolicy);
  }
}

const isUsable = (choice: Choice | undefined): choice is Choice => choice !== undefined && choice.provider !== 'offline';

const supportsVision = ({ provider, vision = true }: Choice) => vision && provider !== 'offline';

const nameOf = ({ provider, model }: Choice): ModelName => (provider === 'offline' ? OFFLINE_NAME : { provider, model });

function recognizer(choice: Choice): SpeechRecognizer {
  if (choice.provider !== 'google') return new SdkRecognizer(nameOf(choice), transcriptionModel(choice));
  const model: LanguageModelV4 = chatModel(choice);
  return new ChatModelRecognizer(nameOf(choice), model);
}
