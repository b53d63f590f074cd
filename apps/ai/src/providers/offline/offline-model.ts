import { setImmediate as nextTick } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ModelName, DialogueTurn } from '../../models/ai-provider.js';
import { tokenWeight } from '../../models/token-estimate.js';
import { offlineAnswer } from './offline-answer.js';

export const OFFLINE_NAME: ModelName = { provider: 'offline', model: 'offline' };
const WORDS_PER_CHUNK = 3;
const ID = 'answer';
/** Reports no tokens, so that they are estimated as for any provider that reports none. */
const UNREPORTED_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Answers if no model is configured. It implements the SDK's model interface, so callers treat it like any other model. */
export class OfflineModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = OFFLINE_NAME.provider;
  readonly modelId = OFFLINE_NAME.model;
  readonly supportedUrls = {};

  async doStream({ prompt, maxOutputTokens, abortSignal }: LanguageModelV4CallOptions) {
    const { text, finishReason } = cut(answerTo(prompt), maxOutputTokens);
    const words = text
      .trimEnd()
      .split(/(?<=\S)(?=\s)/)
      .filter(Boolean);
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: ID });
      },
      async pull(controller) {
        await nextTick();
        if (abortSignal?.aborted) {
          controller.error(abortSignal.reason);
          return;
        }
        const delta = words.splice(0, WORDS_PER_CHUNK).join('');
        if (delta !== '') {
          controller.enqueue({ type: 'text-delta', id: ID, delta });
          return;
        }
        controller.enqueue({ type: 'text-end', id: ID });
        controller.enqueue({ type: 'finish', finishReason, usage: UNREPORTED_USAGE });
        controller.close();
      },
    });
    return { stream };
  }

  async doGenerate({ prompt, maxOutputTokens }: LanguageModelV4CallOptions) {
    const { text, finishReason } = cut(answerTo(prompt), maxOutputTokens);
    return { content: [{ type: 'text' as const, text }], finishReason, usage: UNREPORTED_USAGE, warnings: [] };
  }
}

function cut(answer: string, maxTokens = Infinity) {
  if (tokenWeight(answer) <= maxTokens) return { text: answer, finishReason: { unified: 'stop' as const, raw: 'stop' } };
  let weight = 0;
  const length = [...answer].findIndex((character) => (weight += tokenWeight(character)) > maxTokens);
  return { text: [...answer].slice(0, length).join(''), finishReason: { unified: 'length' as const, raw: 'length' } };
}

/** After the instructions, the prompt's messages alternate: question, answer, …, question. */
function answerTo(prompt: LanguageModelV4Prompt): string {
  const instructions = prompt
    .filter((message) => message.role === 'system')
    .map(textOf)
    .join('\n');
  const spoken = prompt.filter((message) => message.role !== 'system').map(textOf);
  const turns: DialogueTurn[] = [];
  for (let at = 0; at + 1 < spoken.length; at += 2) turns.push({ question: spoken[at] ?? '', answer: spoken[at + 1] ?? '' });
  return offlineAnswer(instructions, turns, spoken.at(-1) ?? '');
}

function textOf({ content }: LanguageModelV4Prompt[number]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
