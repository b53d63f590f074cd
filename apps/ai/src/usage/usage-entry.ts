import type { Decimal } from 'decimal.js';
import type { AiTask } from '@classroom/contracts';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';
import type { UsageEntity } from '../schema/usage.entity.js';

export type UsageTask = UsageEntity['task'];
export type Outcome = UsageEntity['outcome'];

/** The model that does each task. */
export const MODEL_OF: Record<UsageTask, AiTask> = {
  chat: 'chat',
  summary: 'chat',
  transcription: 'speechToText',
  speech: 'textToSpeech',
  embedding: 'embedding',
};

/** On whose behalf a model is called. */
export type Cause = Pick<UsageEntity, 'organizationId' | 'kind' | 'chatKey' | 'turnId' | 'sid' | 'studentUid'>;

/** One call of a model, as it is stored. */
export interface UsageEntry {
  /** Made with the entry, so that it is stored once, however often that is tried. */
  usageId: string;
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
