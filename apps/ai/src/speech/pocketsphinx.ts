import { logger } from '@classroom/platform';
import { ConfinedReader, type Reading } from '../decoding/confined-reader.js';
import type { ModelName } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';
import type { Listener } from '../models/tasks.js';
import { atRate, readWav, SPEECH_RATE, writeWav } from '../sound/wav.js';

/** Recognition takes about half of the recording's duration on one processor. The call's own time limit ends it earlier. */
const READING: Reading = {
  argsFor: (file) => ['-infile', file, '-logfn', '/dev/null'],
  limits: { memory: 1024 ** 3, processorSeconds: 600, fileSize: 0 },
  timeoutMs: 600_000,
  mostBytes: 1024 ** 2,
};

/** The embedded recognizer; runs one process per recording. It knows only English, and makes mistakes. */
export class Pocketsphinx implements Listener {
  readonly name: ModelName = { provider: 'offline', model: 'pocketsphinx' };
  private readonly reader: ConfinedReader;
  isMissing = false;

  /** @param searchPath folders in the format of PATH */
  constructor(program: string, searchPath: string) {
    this.reader = new ConfinedReader(program, searchPath);
  }

  /** Checks whether the program is installed. */
  async prepare(): Promise<void> {
    await this.reader.locate().catch((error: unknown) => {
      this.isMissing = true;
      logger.warn({ err: error }, 'embedded speech recognizer not found');
    });
  }

  async hear(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string }> {
    const samples = atRate(readWav(wav), SPEECH_RATE);
    const { code, output, complaint } = await this.reader.read(writeWav({ samples, sampleRate: SPEECH_RATE }), READING, signal);
    if (code !== 0) {
      logger.warn({ code, complaint }, 'the embedded speech recognizer failed');
      throw new ModelFailure('unreachable', { code: `exit-${code ?? 'by-signal'}` });
    }
    // The program prints one line per utterance.
    return {
      text: output
        .toString('utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' '),
    };
  }
}
