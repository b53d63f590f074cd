import { Deadline } from './deadline.js';
import { type ErrorDetail, requireSuccess } from './errors.js';
import { type AnyInput, type Data, type Input, type OperationId, routeOf, unwrap } from './operation.js';
import { retryDelay, delay } from './retry.js';

/** Options of the client. */
export type ClientOptions = Credentials & ConnectionOptions;

/** Options of the operators' client. */
export type AdminOptions = ConnectionOptions & {
  /** The operators' secret, for `X-Dispatch-Secret`. It gives access to every organization. */
  dispatchSecret: string;
};

export interface ConnectionOptions {
  /** Base URL of the service, such as `https://classroom.example`. */
  baseUrl: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Timeout of each attempt in milliseconds; in a stream, of each part. Default: 60,000. */
  timeoutMs?: number;
  /** How often to retry a call after a temporary failure. Default: 3. */
  maxRetries?: number;
}

/** Both forms are secrets: use them only in a backend. */
export type Credentials = { credential: string; apiKey?: never } | { apiKey: string; credential?: never };

/** Options of one call. */
export interface RequestOptions {
  /** A POST with the same key takes effect once within 24 hours. By default each call has a new key. */
  idempotencyKey?: string;
  /** Aborts the request when it fires; the call rejects with its reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

interface Attempt {
  response: Response;
  deadline: Deadline;
}

/** Calls operations of the API: adds the credentials, retries, and uses one Idempotency-Key for all attempts. */
export class Transport {
  private readonly baseUrl: string;
  private readonly credentials: Record<string, string>;

  constructor(private readonly options: ClientOptions | AdminOptions) {
    if (!URL.canParse(options.baseUrl))
      throw new TypeError('baseUrl must be the address of the service, such as https://classroom.example');
    this.baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
    this.credentials = headersOf(options);
  }

  /** The organization's credential, if the client has it and no API key. */
  get credential(): string | undefined {
    return 'credential' in this.options ? this.options.credential : undefined;
  }

  /** @throws VirtualClassroomError, ConnectionError, TimeoutError, or the signal's reason */
  async call<O extends OperationId>(operation: O, input: Input<O>, options: RequestOptions = {}): Promise<Data<O>> {
    const read = ({ response, deadline }: Attempt) =>
      deadline.runStep(async () => unwrap(logged(operation, await response.json()))).finally(() => deadline.dispose());
    return (await this.attempt(operation, input, 'application/json', options, read)) as Data<O>;
  }

  /** Returns the answer as the text of a CSV file. @throws as `call` */
  async csv(operation: OperationId, input: AnyInput, options: RequestOptions = {}): Promise<string> {
    const read = ({ response, deadline }: Attempt) => deadline.runStep(() => response.text()).finally(() => deadline.dispose());
    return this.attempt(operation, input, 'text/csv', options, read);
  }

  /** Returns the bytes of an answer that is a PDF file. @throws as `call` */
  pdf(operation: OperationId, input: AnyInput, options: RequestOptions = {}): Promise<Uint8Array> {
    return this.bytes(operation, input, 'application/pdf', options);
  }

  /** Returns the bytes of an answer that is a file of the type that the query chooses. @throws as `call` */
  file(operation: OperationId, input: AnyInput, options: RequestOptions = {}): Promise<Uint8Array> {
    return this.bytes(operation, input, '*/*', options);
  }

  private bytes(operation: OperationId, input: AnyInput, accept: string, options: RequestOptions): Promise<Uint8Array> {
    const read = ({ response, deadline }: Attempt) =>
      deadline.runStep(async () => new Uint8Array(await response.arrayBuffer())).finally(() => deadline.dispose());
    return this.attempt(operation, input, accept, options, read);
  }

  /**
   * Yields the bytes of an answer as they arrive. It retries until the answer begins, but not after. If the caller ends the
   * loop early, the request is cancelled.
   * @throws as `call`
   */
  async *stream(operation: OperationId, input: AnyInput, options: RequestOptions = {}): AsyncGenerator<Uint8Array> {
    const { response, deadline } = await this.attempt(operation, input, '*/*', options, async (attempt) => attempt);
    const reader = response.body?.getReader();
    try {
      for (;;) {
        // The timeout covers the wait for the service, not the caller's processing of each part.
        const part = await deadline.runStep(async () => reader?.read());
        if (!part || part.done) return;
        yield part.value;
      }
    } finally {
      await reader?.cancel().catch(() => undefined);
      deadline.dispose();
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
        const delayMs = retries < maxRetries ? retryDelay(failure, retries) : undefined;
        if (delayMs === undefined || options.signal?.aborted) throw failure;
        await delay(delayMs, options.signal);
      }
    }
  }

  /** Resolves with a successful response whose body has not been read. */
  private async send(
    url: string,
    init: RequestInit,
    { timeoutMs = this.options.timeoutMs ?? 60_000, signal }: RequestOptions,
  ): Promise<Attempt> {
    const send = this.options.fetch ?? fetch;
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const response = await deadline.runStep(async () => {
        const answered = following(await send(url, { ...init, redirect: 'error', signal: deadline.signal }), deadline.signal);
        return answered.ok ? answered : await requireSuccess(answered);
      });
      return { response, deadline };
    } catch (failure) {
      deadline.dispose();
      throw failure;
    }
  }
}

/** Whether `NODE_DEBUG` names this package. Not every runtime has `node:util`, whose `debuglog` reads the same variable. */
function isDebugged(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NODE_DEBUG']?.split(',').includes('virtual-classroom') ?? false;
}

/** Writes what the service ignored in the request to the debug log. @returns the answer */
function logged(operation: OperationId, answer: unknown): unknown {
  const { warnings = [] } = (answer ?? {}) as { warnings?: readonly ErrorDetail[] };
  if (warnings.length > 0 && isDebugged())
    // oxlint-disable-next-line no-console -- The caller asked for it.
    for (const { path, message } of warnings) console.error(`VIRTUAL-CLASSROOM ${operation}: ${path} ${message}`);
  return answer;
}

function headersOf(options: ClientOptions | AdminOptions): Record<string, string> {
  if ('dispatchSecret' in options) return { 'X-Dispatch-Secret': options.dispatchSecret };
  const { credential, apiKey } = options;
  if (credential !== undefined && apiKey === undefined) return { 'VF-ORG-ID': credential };
  if (apiKey !== undefined && credential === undefined) return { authorization: `Bearer ${apiKey}` };
  throw new TypeError('give either credential or apiKey');
}

/**
 * The answer whose body ends with the signal. The signal of a request is not enough: Node 20 forgets it at the next garbage collection after the
 * headers have arrived (https://github.com/nodejs/undici/issues/3644).
 */
function following({ body, status, headers }: Response, signal: AbortSignal): Response {
  return new Response(body?.pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>>(), { signal }) ?? null, { status, headers });
}
