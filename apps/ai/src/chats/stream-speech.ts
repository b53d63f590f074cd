import type { PcmAudio } from '../models/ai-provider.js';
import { SentenceSplitter } from '../speech/sentences.js';

/** The number of sentences that are synthesized, or synthesized and not yet delivered, at a time. */
const MAX_AHEAD = 2;

interface NextChunk {
  chunk: IteratorResult<string>;
}

interface NextAudio {
  audio: PcmAudio | undefined;
}

export type SpeechChunk = { text: string } | { audio: PcmAudio };

/**
 * Yields the text chunks as they arrive and, between them, the audio of each sentence in the order of the text, while further chunks keep
 * flowing. `synthesize` resolves to undefined for a sentence that stays silent.
 */
export async function* streamSpeech(
  chunks: AsyncIterable<string>,
  synthesize: (sentence: string) => Promise<PcmAudio | undefined>,
): AsyncGenerator<SpeechChunk> {
  const reader = chunks[Symbol.asyncIterator]();
  const splitter = new SentenceSplitter();
  const waiting: string[] = [];
  const pending: Promise<PcmAudio | undefined>[] = [];
  let next: Promise<IteratorResult<string>> | undefined = reader.next();
  while (next || waiting.length > 0 || pending.length > 0) {
    for (let sentence; pending.length < MAX_AHEAD && (sentence = waiting.shift()) !== undefined;) {
      const audio = synthesize(sentence);
      // Avoids an unhandled rejection: the failure is thrown when this sentence's turn comes.
      audio.catch(() => undefined);
      pending.push(audio);
    }
    const first: NextAudio | NextChunk = await Promise.race<NextAudio | NextChunk>([
      ...(next ? [next.then((chunk) => ({ chunk }))] : []),
      ...pending.slice(0, 1).map(toNextAudio),
    ]);
    if ('chunk' in first) {
      const chunk: IteratorResult<string> = first.chunk;
      for (const sentence of chunk.done ? splitter.end() : splitter.push(chunk.value))
        if (/[\p{L}\p{N}]/u.test(sentence)) waiting.push(sentence);
      next = chunk.done ? undefined : reader.next();
      // Avoids an unhandled rejection: this read ahead may fail while no code awaits it.
      next?.catch(() => undefined);
      if (!chunk.done) yield { text: chunk.value };
    } else {
      void pending.shift();
      if (first.audio) yield { audio: first.audio };
    }
  }
}

const toNextAudio = (audio: Promise<PcmAudio | undefined>): Promise<NextAudio> => audio.then((result) => ({ audio: result }));
