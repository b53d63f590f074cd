import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { bulkhead } from 'cockatiel';
import { invalidField } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import type { ModelName, PcmAudio, Voice } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';
import type { SpeechSynthesizer } from '../models/task-models.js';
import { readSynthesizedWav } from '../inputs/wav.js';

const DEFAULT_LANGUAGE = 'en-us';
const WORDS_PER_MINUTE = '165';
const TIMEOUT_MS = 20_000;
/** Bytes of output, about fifty times what a sentence takes. A synthesizer that never stops writing must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_QUEUED = 10_000;

interface EspeakVoice extends Voice {
  /** The program's argument for `-v`. */
  argument: string;
}

/** The local synthesizer; runs one process per sentence. */
export class Espeak implements SpeechSynthesizer {
  readonly name: ModelName = { provider: 'offline', model: 'espeak-ng' };
  /** More concurrent processes than processors would only delay all of them. */
  private readonly limiter = bulkhead(availableParallelism(), MAX_QUEUED);
  private voiceList: Promise<EspeakVoice[]> | undefined;
  isMissing = false;

  /** @param searchPath value of PATH for the program; it receives no other variable */
  constructor(
    private readonly program: string,
    private readonly searchPath: string,
  ) {}

  async synthesize(text: string, voiceName: string | undefined, signal: AbortSignal): Promise<PcmAudio> {
    const { argument } = await this.find(voiceName);
    const options = ['--stdin', '--stdout', '-b', '1', '-s', WORDS_PER_MINUTE, '-v', argument];
    const wav = await this.limiter.execute(() => this.run(options, speakable(text), signal), signal);
    return readSynthesizedWav(wav);
  }

  /** An empty list if the program is not installed. */
  async voices(): Promise<Voice[]> {
    const all = await this.all().catch((error: unknown) => {
      logger.warn({ err: error }, 'speech synthesizer not responding');
      return [];
    });
    return all.map(({ voiceName, language, isDefault }) => ({ voiceName, language, isDefault }));
  }

  async checkVoice(voiceName: string | undefined): Promise<void> {
    await this.find(voiceName).catch((error: unknown) => {
      throw error instanceof ModelFailure ? error.toAppError() : error;
    });
  }

  /**
   * Finds a voice by its name or its language.
   * @throws AppError VALIDATION_FAILED that names `voiceName`
   */
  private async find(voiceName: string | undefined): Promise<EspeakVoice> {
    const all = await this.all();
    const wanted = voiceName?.toLowerCase();
    const found =
      wanted === undefined
        ? (all.find(({ isDefault }) => isDefault) ?? all[0])
        : (all.find((voice) => voice.voiceName.toLowerCase() === wanted) ?? all.find(({ language }) => language === wanted));
    if (!found) throw invalidField('voiceName', 'is none of the voices that can be had');
    return found;
  }

  private all(): Promise<EspeakVoice[]> {
    this.voiceList ??= this.run(['--voices'], '', AbortSignal.timeout(TIMEOUT_MS))
      .then((listing) => {
        this.isMissing = false;
        return readVoices(listing.toString('utf8'));
      })
      .catch((error: unknown) => {
        this.isMissing = true;
        this.voiceList = undefined;
        throw error;
      });
    return this.voiceList;
  }

  private run(args: string[], input: string, signal: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const child = spawn(this.program, args, { env: { PATH: this.searchPath }, stdio: ['pipe', 'pipe', 'ignore'] });
      const parts: Buffer[] = [];
      let bytes = 0;
      const kill = () => child.kill('SIGKILL');
      const timer = setTimeout(kill, TIMEOUT_MS);
      signal.addEventListener('abort', kill, { once: true });
      const settle = (error?: { code?: string }) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', kill);
        if (signal.aborted) reject(signal.reason);
        else if (error) reject(new ModelFailure('unreachable', { code: error.code }));
        else resolve(Buffer.concat(parts));
      };
      child.stdout.on('data', (part: Buffer) => {
        parts.push(part);
        if ((bytes += part.length) > MAX_BYTES) kill();
      });
      child.once('error', settle);
      child.once('close', (code) => settle(code === 0 ? undefined : { code: `exit-${code ?? 'by-signal'}` }));
      // A process that ends early closes its input while we write; `settle` above reports how it ended.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  }
}

/** The program would read double brackets as its own phoneme notation. */
const speakable = (text: string) => text.replaceAll('[[', '[ [').replaceAll('\0', ' ');

/** The columns of `espeak-ng --voices`: priority, language, age/gender, name, file. */
export function readVoices(listing: string): EspeakVoice[] {
  const voices = new Map<string, EspeakVoice>();
  for (const line of listing.split('\n').slice(1)) {
    const [, language, , voiceName, file] = line.trim().split(/\s+/);
    if (language === undefined || voiceName === undefined || file === undefined) continue;
    if (!voices.has(voiceName))
      voices.set(voiceName, { voiceName, language, isDefault: language === DEFAULT_LANGUAGE, argument: language });
  }
  return [...voices.values()];
}
