import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/values.js';
import { defineRpc, type ServiceName } from '../kernel/rpc.js';
import { retainedClass } from './data-classes.js';

/** Of one class of data: how much an organization has of what began to age after `since`, and how much of that before `before`. */
const countOld = (service: ServiceName) =>
  defineRpc({
    service,
    rpc: 'retention.count-old',
    input: z.object({ organizationId, dataClass: retainedClass, since: timestamp, before: timestamp }),
    output: z.object({ old: z.number().int(), all: z.number().int(), oldestAt: timestamp.nullable() }),
    timeoutMs: 10_000,
  });

/** By owner of the data. The room service counts classes, the recording service recordings, the AI service dialogues. */
export const retentionRpc = { room: countOld('room'), recording: countOld('recording'), ai: countOld('ai') };
