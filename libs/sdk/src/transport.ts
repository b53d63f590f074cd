import { Deadline } from './deadline.js';
import { successOf } from './errors.js';
import { type AnyInput, type Data, type Input, type OperationId, routeOf, unwrapped } from './operation.js';
import { delayBefore, wait } from './retry.js';

/** What the client is made with. */
export type ClientOptions = Credentials & {
  /** Where the service is, such as `https://classroom.example`. */
  baseUrl: string;
  /** In place of the global one. */
  fetch?: typeof fetch;
  /** Milliseconds for each attempt, and in a stream until the next word; 60,000 where it is left out. */
  timeoutMs?: number;
  /** Times a call is tried again after a failure that may pass; 3 where it is left out. */
  maxRetries?: number;
};

/** A secret either way: for a backend alone. */
export type Credentials = { organizationId: string; apiKey?: never } | { apiKey: string; organizationId?: never };

/** What one call may have its own. */
export interface RequestOptions {
  /** Under which a POST has its effect once, within 24 h; each call has one of its own where it is left out. */
  idempotencyKey?: string;
  /** Hangs up when it fires; the call rejects with its reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

interface Attempt {
  response: Response;
  deadline: Deadline;
}

/** Makes calls by the reference: credentials, retries, and one Idempotency-Key over all of them. */
export class Transport {
  private readonly baseUrl: string;
  private readonly credentials: Record<string, string>;

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
    this.credentials =
      options.apiKey === undefined ? { 'VF-ORG-ID': options.organizationId } : { authorization: `Bearer ${options.apiKey}` };
  }

  get organizationId(): string | undefined {
    return this.options.organizationId;
  }

  /** @throws VirtualClassroomError, ConnectionError, TimeoutError, the signal's reason */
  async call<O extends OperationId>(operation: O, input: Input<O>, options: RequestOptions = {}): Promise<Data<O>> {
    const read = ({ response, deadline }: Attempt) =>
      deadline.within(async () => unwrapped(await response.json())).finally(() => deadline.end());
    return (await this.attempt(operation, input, 'application/json', options, read)) as Data<O>;
  }

  /** The answer as a file. @throws as `call` */
  async csv(operation: OperationId, input: AnyInput, options: RequestOptions = {}): Promise<string> {
    const read = ({ response, deadline }: Attempt) => deadline.within(() => response.text()).finally(() => deadline.end());
    return this.attempt(operation, input, 'text/csv', options, read);
  }

  /**
   * The bytes of an answer as they come. Tried again until it begins, not after; leaving it hangs up. @throws as `call`
   */
  async *stream(operation: OperationId, input: AnyInput, options: RequestOptions = {}): AsyncGenerator<Uint8Array> {
    const { response, deadline } = await this.attempt(operation, input, '*/*', options, async (attempt) => attempt);
    const reader = response.body?.getReader();
    try {
      for (;;) {
        // Only our waiting is timed, not the reader's of each part.
        const part = await deadline.within(async () => reader?.read());
        if (!part || part.done) return;
        yield part.value;
      }
    } finally {
      await reader?.cancel().catch(() => undefined);
      deadline.end();
    }
  }

  private async attempt<T>(
    operation: OperationId,
    input: AnyInput,
    accept: string,
    options: RequestOptions,
    read: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const { method, path } = routeOf(operation, input);
    const headers = new Headers({ accept, ...this.credentials });
    if (method === 'POST') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    if (input.body !== undefined) headers.set('content-type', 'application/json');
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const maxRetries = options.maxRetries ?? this.options.maxRetries ?? 3;
    for (let retries = 0; ; retries++) {
      try {
        return await read(await this.send(`${this.baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }, options));
      } catch (failure) {
        const delay = retries < maxRetries ? delayBefore(failure, retries) : undefined;
        if (delay === undefined || options.signal?.aborted) throw failure;
        await wait(delay, options.signal);
      }
    }
  }

  /** A success whose body is still to be read. */
  private async send(
    url: string,
    init: RequestInit,
    { timeoutMs = this.options.timeoutMs ?? 60_000, signal }: RequestOptions,
  ): Promise<Attempt> {
    const send = this.options.fetch ?? fetch;
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const response = await deadline.within(async () => {
        const answered = await send(url, { ...init, redirect: 'error', signal: deadline.signal });
        return answered.ok ? answered : await successOf(answered);
      });
      return { response, deadline };
    } catch (failure) {
      deadline.end();
      throw failure;
    }
  }
}
