import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConsumerDeclaration } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Background, Clock } from '@classroom/platform';
import { markedMethods } from '../marked-methods.js';
import { acceptOnce } from '../outbox/inbox.repository.js';
import { JETSTREAM } from '../tokens.js';
import { DurableConsumer, type ConsumerOptions } from '../jetstream/consumer.js';

/** Whether this consumer has not applied the message with that id yet. The inbox row that records it commits with the transaction. */
export type AcceptOnce = (tx: Transaction, messageId: string) => Promise<boolean>;

type Options<B> = Pick<ConsumerOptions<B>, 'keyOf' | 'concurrency'>;
type Handle<B> = (body: B, acceptOnce: AcceptOnce) => Promise<void>;

interface Mark {
  declaration: ConsumerDeclaration;
  options: Options<unknown>;
}

const CONSUMED = Symbol('consumed messages');

/**
 * Handles the messages of a durable consumer in processes with the worker role: `@Consumes(CONSUMERS.billingFold, { … })` on a
 * provider's method, which returns after its commit. Its first statement is `acceptOnce(tx, id)`, unless a version in the data
 * makes a repeated message harmless.
 */
export function Consumes<B>(declaration: ConsumerDeclaration, options: Options<B>) {
  return (_target: object, key: string, { value: method }: { value?: Handle<B> }): void => {
    if (!method) throw new Error(`${key} is not a method`);
    Reflect.defineMetadata(CONSUMED, { declaration, options }, method);
  };
}

const consumedBy = (method: object) => Reflect.getMetadata(CONSUMED, method) as Mark | undefined;

/** Starts a consumer for each method marked with `@Consumes`. */
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
      const { declaration, options } = mark;
      const accept: AcceptOnce = (tx, messageId) => acceptOnce(tx, declaration.durable, messageId, this.clock.wall());
      const handle = (body: unknown) => (method as Handle<unknown>)(body, accept);
      this.background.add(new DurableConsumer(this.jetstream, { declaration, ...options, handle }));
    }
  }
}
