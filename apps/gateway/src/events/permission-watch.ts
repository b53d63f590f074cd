import { Injectable } from '@nestjs/common';
import { isUnavailable } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { OrganizationCaller } from '../authentication/organization-caller.js';
import { authorize } from '../http/lifecycle.js';

/** Milliseconds between two checks. A revoked credential is dropped from the caches at once, and after 30 s if its event is lost. */
const CHECK_MS = 5_000;

/** Authenticates the caller of a long answer again and again: their credential may expire or be revoked meanwhile. */
@Injectable()
export class PermissionWatch {
  constructor(private readonly callers: OrganizationCaller) {}

  /** @returns a signal that fires when the caller may no longer make the request. The watch ends with `done`. */
  watch(request: FastifyRequest, done: AbortSignal): AbortSignal {
    const refused = new AbortController();
    if (done.aborted) return refused.signal;
    const timer = setInterval(() => {
      this.check(request).catch(() => refused.abort());
    }, CHECK_MS).unref();
    done.addEventListener('abort', () => clearInterval(timer), { once: true });
    return refused.signal;
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN */
  private async check(request: FastifyRequest): Promise<void> {
    try {
      await this.callers.authenticate(request);
      authorize(request);
    } catch (error) {
      // The owner of credentials is unreachable, and so is the history: it is the same service.
      if (!isUnavailable(error)) throw error;
    }
  }
}
