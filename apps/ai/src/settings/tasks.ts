import type { AiTask } from '@classroom/contracts';

export const TASKS = ['chat', 'chatFallback', 'speechToText', 'textToSpeech', 'embedding'] as const satisfies readonly AiTask[];
export type Task = (typeof TASKS)[number];
