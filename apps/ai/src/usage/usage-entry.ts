import type { Decimal } from 'decimal.js';
import type { AiTask } from '@classroom/contracts';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';

export type UsageTask = 'chat' | 'summary' | 'transcription' | 'speech' | 'embedding';
export type Outcome = 'finished' | 'cut_off' | 'failed';

/** Which model does a task. */
export const MODEL_OF: Record<UsageTask, AiTask> = {
  chat: 'chat',
  summary: 'chat',
  transcription: 'speechToText',
  speech: 'textToSpeech',
  embedding: 'embedding',
};

/** For whom a model is asked. */
export interface Cause {
  organizationId: string;
  kind: 'agent' | 'tutor';
  chatKey: string | null;
  turnId: string | null;
  sid: string | null;
  studentUid: string | null;
}

/** One call of a model, as it is kept. */
export interface UsageEntry {
  cause: Cause;
  task: UsageTask;
  by: ModelName;
  outcome: Outcome;
  used: ModelUsage;
  cost: Decimal;
  credits: Decimal;
  latencyMs: number;
  firstTokenMs: number | null;
  at: Date;
}
