import { z } from 'zod';
import type { AppName, ServiceName } from './rpc.js';

export interface EventContract<D extends z.ZodType = z.ZodType> {
  readonly service: ServiceName;
  /** The CloudEvents type: `<noun>.<past-tense>.v<n>`. */
  readonly type: string;
  readonly subjectPrefix: string;
  /** The apps that receive it without a consumer, to evict entries of their caches. */
  readonly watchers: readonly AppName[];
  readonly data: D;
}

export type EventData<C extends EventContract> = z.infer<C['data']>;

/** CloudEvents 1.0, structured mode, with the trace context extension. `subject` is the id of the entity, such as a room's sid. */
export const eventEnvelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.string(),
  data: z.unknown(),
});
export type EventEnvelope<D = unknown> = Omit<z.infer<typeof eventEnvelope>, 'data'> & { data: D };

/** Events of one room share a partition, so that a consumer can be split without splitting a room. */
export const PARTITIONS = 16;

/** FNV-1a hash of the key, as `p00` to `p15`. */
export function partitionOf(key: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return `p${String((hash >>> 0) % PARTITIONS).padStart(2, '0')}`;
}

/** `ttlSeconds` of the facts that have one, by the prefix of their subject. */
const ttls = new Map<string, number>();

/** Declares an event with the subject `evt.<service>.<noun>.<past-tense>.v<n>.<pNN>`. */
export function defineEvent<D extends z.ZodType>(options: {
  service: ServiceName;
  noun: string;
  happened: string;
  version?: number;
  /** Default: none. */
  watchers?: readonly AppName[];
  data: D;
  /** Seconds after which the stream deletes the fact; undefined: with the stream's other messages. */
  ttlSeconds?: number;
}): EventContract<D> {
  const { service, noun, happened, version = 1, watchers = [], data, ttlSeconds } = options;
  const type = `${noun}.${happened}.v${version}`;
  const subjectPrefix = `evt.${service}.${type}`;
  if (ttlSeconds !== undefined) ttls.set(subjectPrefix, ttlSeconds);
  return { service, type, subjectPrefix, watchers, data };
}

/** Seconds after which the stream deletes a fact with this subject; undefined: with the stream's other messages. */
export const ttlOf = (subject: string): number | undefined => ttls.get(subject.slice(0, subject.lastIndexOf('.')));

export const eventSubject = (contract: EventContract, key: string) => `${contract.subjectPrefix}.${partitionOf(key)}`;
