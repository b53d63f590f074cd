import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { aiEvent, AppError, type agentRpc, type AiEvent, type RpcRequest, type tutorRpc } from '@classroom/contracts';
import { NATS, readTextStream, RpcClient } from '@classroom/messaging';

/** Splits bytes into lines. The bytes may be cut anywhere, even within a character. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private partial: string[] = [];

  /** @returns the lines that these bytes completed */
  push(bytes: Uint8Array): string[] {
    const [end = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n');
    this.partial.push(end);
    if (others.length === 0) return [];
    // Joined only once, because a line of audio spans many frames.
    const first = this.partial.join('');
    this.partial = [others.pop() ?? ''];
    return [first, ...others];
  }
}

export type Begun = Extract<AiEvent, { type: 'begun' }>;
/** The events that follow the beginning. */
export type AnswerEvent = Exclude<AiEvent, Begun>;

/** An answer that has begun: the model has produced its first token. */
export interface Answer {
  begun: Begun;
  events: AsyncGenerator<AnswerEvent>;
}

type Contract = typeof agentRpc.chat | typeof tutorRpc.chat | typeof tutorRpc.ask;

/** Requests answers from the AI service and reads them line by line. */
@Injectable()
export class AnswerStream {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /**
   * Resolves with the first line, so an error before it is still an ordinary error response. The service pauses while its lines are not
   * read. It stops its model when the signal fires or when reading the events ends early.
   */
  async open<C extends Contract>(contract: C, question: Omit<RpcRequest<C>, 'inbox'>, disconnected: AbortSignal): Promise<Answer> {
    const start = async (inbox: string) => (await this.rpc.call(contract, { ...question, inbox } as RpcRequest<C>)).control;
    const events = eventsOf(readTextStream(this.connection, start, disconnected));
    const first = await events.next();
    if (first.done || first.value.type !== 'begun') throw invalidAnswer();
    return { begun: first.value, events: events as AsyncGenerator<AnswerEvent> };
  }
}

async function* eventsOf(frames: AsyncGenerator<Uint8Array>): AsyncGenerator<AiEvent> {
  const lines = new LineSplitter();
  for await (const frame of frames) {
    for (const line of lines.push(frame)) yield parse(line);
  }
}

function parse(line: string): AiEvent {
  try {
    return aiEvent.parse(JSON.parse(line));
  } catch {
    // The parser's own error quotes the line, which is part of a private conversation.
    throw invalidAnswer();
  }
}

const invalidAnswer = () => new AppError('INTERNAL_ERROR', { message: 'The AI service gave an answer that cannot be read' });
