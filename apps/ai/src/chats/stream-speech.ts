import type { Sound } from '../models/ai-provider.js';
import { SentenceSplitter } from '../sound/sentences.js';

/** The number of sentences that are synthesized, or synthesized and not yet delivered, at a time. */
const AHEAD = 2;

interface Read {
  word: IteratorResult<string>;
}

interface Made {
  sound: Sound | undefined;
}

export type Said = { text: string } | { sound: Sound };

/**
 * Yields the text chunks as they arrive and, between them, the sound of each sentence in the order of the text, while further chunks keep
 * flowing. `speak` resolves to undefined for a sentence that stays silent.
 */
export async function* speakAlong(
  words: AsyncIterable<string>,
  speak: (sentence: string) => Promise<Sound | undefined>,
): AsyncGenerator<Said> {
  const reader = words[Symbol.asyncIterator]();
  const splitter = new SentenceSplitter();
  const waiting: string[] = [];
  const spoken: Promise<Sound | undefined>[] = [];
  let next: Promise<IteratorResult<string>> | undefined = reader.next();
  while (next || waiting.length > 0 || spoken.length > 0) {
    for (let sentence; spoken.length < AHEAD && (sentence = waiting.shift()) !== undefined;) {
      const sound = speak(sentence);
      // Avoids an unhandled rejection: the failure is thrown when this sentence's turn comes.
      sound.catch(() => undefined);
      spoken.push(sound);
    }
    const first: Made | Read = await Promise.race<Made | Read>([
      ...(next ? [next.then((word) => ({ word }))] : []),
      ...spoken.slice(0, 1).map(toMade),
    ]);
    if ('word' in first) {
      const word: IteratorResult<string> = first.word;
      waiting.push(...(word.done ? splitter.end() : splitter.push(word.value)).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)));
      next = word.done ? undefined : reader.next();
      // Avoids an unhandled rejection: this read ahead may fail while no code awaits it.
      next?.catch(() => undefined);
      if (!word.done) yield { text: word.value };
    } else {
      void spoken.shift();
      if (first.sound) yield { sound: first.sound };
    }
  }
}

const toMade = (sound: Promise<Sound | undefined>): Promise<Made> => sound.then((made) => ({ sound: made }));
