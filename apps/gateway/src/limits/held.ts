import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is held for each key at the moment, such as requests or bytes, and for all of them. */
export class Held {
  private readonly amounts = new Map<string, number>();
  private sum = 0;

  /** What is held for all keys. */
  get total(): number {
    return this.sum;
  }

  /** Keys for which something is held. */
  get size(): number {
    return this.amounts.size;
  }

  of(key: string): number {
    return this.amounts.get(key) ?? 0;
  }

  /** @returns releases it, once however often it is called */
  take(key: string, amount = 1): () => void {
    this.add(key, amount);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(key, -amount);
      isHeld = false;
    };
  }

  private add(key: string, change: number): void {
    this.sum += change;
    const left = this.of(key) + change;
    if (left > 0) this.amounts.set(key, left);
    else this.amounts.delete(key);
  }
}

/** Separates what is stored or counted for different callers. */
export function keyOf({ requestContext }: FastifyRequest): string {
  const { caller } = requestContext;
  if (caller.kind === 'organization') return caller.organization.organizationId;
  if (caller.kind === 'participant') return `${caller.participant.sid}/${caller.participant.uid}`;
  if (caller.kind === 'dashboard') return `${caller.organization.organizationId}/dashboard/${caller.subject}`;
  if (caller.kind === 'dispatch' && caller.operator.name !== 'dispatch') return `dispatch/${caller.operator.name}`;
  return caller.kind;
}

/** Calls `run` once: when the response has been sent or its connection has closed. */
export function whenDone({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, run: () => void): void {
  // Its event was before.
  if (socket.destroyed) return run();
  const done = () => {
    response.off('finish', done);
    socket.off('close', done);
    run();
  };
  // A pipelined response that is not sent yet has no connection of its own to report that it closed.
  response.once('finish', done);
  socket.once('close', done);
}
