import { Injectable } from '@nestjs/common';
import { AppError, JSON_BODY_LIMIT } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Held, keyOf } from './held.js';

const MIB = 1024 ** 2;
const WINDOW_S = 60;
/** Bytes of large bodies that one caller may send to a gateway in a minute. Parsing them delays all other requests. */
const PER_MINUTE_BYTES = 256 * MIB;
/** Bytes of large bodies that a gateway holds at once: of one caller, and of all. Each takes several times its size while it is parsed. */
const OF_CALLER_BYTES = 32 * MIB;
const OF_ALL_BYTES = 96 * MIB;
const RETRY_AFTER_S = '1';

/**
 * Limits bodies of more than a MiB, before they are read: audio and images for a model. A body counts from its headers until its answer
 * begins. Each gateway counts for itself.
 */
@Injectable()
export class LargeBodies {
  private readonly perMinute = new RateLimiterMemory({ points: PER_MINUTE_BYTES, duration: WINDOW_S });
  private readonly held = new Held();
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  /** Synchronous for a small body. @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const bytes = largeSizeOf(request);
    return bytes === 0 ? undefined : this.takeBytes(bytes, request, reply);
  }

  private async takeBytes(bytes: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = keyOf(request);
    if (this.held.of(caller) + bytes > OF_CALLER_BYTES || this.held.total + bytes > OF_ALL_BYTES) throw refusal(reply);
    const release = this.held.take(caller, bytes);
    this.releases.set(request, release);
    reply.raw.once('close', release);
    await this.perMinute.consume(caller, bytes).catch(() => {
      release();
      throw refusal(reply);
    });
  }

  /** Called when the answer begins: the body was read. */
  release(request: FastifyRequest): void {
    this.releases.get(request)?.();
  }
}

/** The size of a body that is large and will be read, as its headers state it; 0 for any other. */
function largeSizeOf({ headers, requestContext }: FastifyRequest): number {
  const limit = requestContext.endpoint?.bodyLimit ?? 0;
  if (limit <= JSON_BODY_LIMIT) return 0;
  // Without a length, it may become as large as its endpoint allows.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
  return length > JSON_BODY_LIMIT && length <= limit ? length : 0;
}

function refusal(reply: FastifyReply): AppError {
  reply.header('retry-after', RETRY_AFTER_S);
  return new AppError('RATE_LIMITED', { message: 'Too many large bodies at once or in this minute' });
}
