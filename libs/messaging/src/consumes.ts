import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConsumerDeclaration } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence/sql';
import { Background, Clock } from '@classroom/platform';
import { markedMethods } from './rpc/handles.js';
import { acceptNew, acceptOnce } from './outbox/inbox.repository.js';
import { JETSTREAM } from './connection.js';
import { DurableConsumer, oneByOne, type ConsumerOptions, type Delivery } from './jetstream/consumer.js';

/** Whether this consumer has not applied the message with that id yet. The inbox row that records it commits with the transaction. */
export type AcceptOnce = (tx: Transaction, messageId: string) => Promise<boolean>;
/** The items whose messages this consumer has not applied yet, each id once. The inbox rows that record them commit with the transaction. */
export type AcceptNew = <T>(tx: Transaction, items: readonly T[], idOf: (item: T) => string) => Promise<T[]>;

type Handle<B> = (body: B, acceptOnce: AcceptOnce) => Promise<void>;
type HandleBatch<B> = (deliveries: readonly Delivery<B>[], acceptNew: AcceptNew) => Promise<void>;
type Options<B> = Pick<ConsumerOptions<B>, 'keyOf' | 'concurrency'>;

interface Mark {
  declaration: ConsumerDeclaration;
  /** With a batch size, the method handles batches. */
  options: Options<unknown> & { batchSize?: number };
}

const CONSUMED = Symbol('consumed messages');

/**
 * Handles the messages of a durable consumer in processes with the worker role: `@Consumes(CONSUMERS.roomRecording, { … })` on a
 * provider's method, which returns after its commit. Its first statement is `acceptOnce(tx, id)`, unless a version in the data
 * makes a repeated message harmless.
 */
export function Consumes<B>(declaration: ConsumerDeclaration, options: Options<B>) {
  return (_target: object, key: string, { value: method }: { value?: Handle<B> }): void =>
    mark(key, method, { declaration, options: options as Mark['options'] });
}

/**
 * As `Consumes`, with a method that handles up to `batchSize` messages of many keys in one transaction. It applies all of them or throws; then
 * its messages come again, one by one. It takes its locks in an order that all batches share.
 */
export function ConsumesBatch<B>(declaration: ConsumerDeclaration, options: Options<B> & { batchSize: number }) {
  return (_target: object, key: string, { value: method }: { value?: HandleBatch<B> }): void =>
    mark(key, method, { declaration, options: options as Mark['options'] });
}

function mark(key: string, method: object | undefined, marked: Mark): void {
  if (!method) throw new Error(`${key} is not a method`);
  Reflect.defineMetadata(CONSUMED, marked, method);
}

const consumedBy = (method: object) => Reflect.getMetadata(CONSUMED, method) as Mark | undefined;

/** Starts a consumer for each method marked with `@Consumes` or `@ConsumesBatch`. */
@Injectable()
export class Consumers implements OnModuleInit {
  constructor(
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
    private readonly background: Background,
    private readonly clock: Clock,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { mark, method } of markedMethods(this.discovery, this.scanner, consumedBy)) {
      this.background.add(new DurableConsumer(this.jetstream, this.toConsumer(mark, method)));
    }
  }

  private toConsumer({ declaration, options }: Mark, method: unknown): ConsumerOptions<unknown> {
    const { durable } = declaration;
    const { keyOf, concurrency, batchSize } = options;
    if (batchSize !== undefined) {
      const handle = method as HandleBatch<unknown>;
      const accept: AcceptNew = (tx, items, idOf) => acceptNew(tx, durable, items, idOf, this.clock.wall());
      return { declaration, keyOf, concurrency, batchSize, handle: (deliveries) => handle(deliveries, accept) };
    }
    const handle = method as Handle<unknown>;
    const accept: AcceptOnce = (tx, messageId) => acceptOnce(tx, durable, messageId, this.clock.wall());
    return { declaration, keyOf, concurrency, ...oneByOne((body) => handle(body, accept)) };
  }
}
