import { logger } from '@classroom/platform';
import { SandboxedProgram, type RunSpec } from '../inputs/sandboxed-program.js';
import type { ModelName } from '../models/ai-provider.js';
import { ModelFailure } from '../models/model-failure.js';
import type { SpeechRecognizer } from '../models/task-models.js';
import { resample, readWav, SPEECH_RATE, writeWav } from '../inputs/wav.js';

/** Recognition takes about half of the recording's duration on one processor. The call's own time limit ends it earlier. */
const RUN_SPEC: RunSpec = {
  argsFor: (file) => ['-infile', file, '-logfn', '/dev/null'],
  limits: { memory: 1024 ** 3, processorSeconds: 600, fileSize: 0 },
  timeoutMs: 600_000,
  maxBytes: 1024 ** 2,
};

/** The embedded recognizer; runs one process per recording. It knows only English, and makes mistakes. */
export class Pocketsphinx implements SpeechRecognizer {
  readonly name: ModelName = { provider: 'offline', model: 'pocketsphinx' };
  private readonly recognizer: SandboxedProgram;
  isMissing = false;

  /** @param searchPath folders in the format of PATH */
  constructor(program: string, searchPath: string) {
    this.recognizer = new SandboxedProgram(program, searchPath);
  }

  /** Checks whether the program is installed. */
  async prepare(): Promise<void> {
    await this.recognizer.locate().catch((error: unknown) => {
      this.isMissing = true;
      logger.warn({ err: error }, 'embedded speech recognizer not found');
    });
  }

  async transcribe(wav: Uint8Array, signal: AbortSignal): Promise<{ text: string }> {
    const samples = resample(readWav(wav), SPEECH_RATE);
    const { code, output, stderrTail } = await this.recognizer.run(writeWav({ samples, sampleRate: SPEECH_RATE }), RUN_SPEC, signal);
    if (code !== 0) {
      logger.warn({ code, stderrTail }, 'the embedded speech recognizer failed');
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
