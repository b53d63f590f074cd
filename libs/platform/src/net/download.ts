import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Outbound } from './outbound.js';

export interface Download {
  status: number;
  contentType: string | undefined;
  body: Buffer;
}

export interface DownloadOptions {
  outbound: Outbound;
  headers?: Record<string, string>;
  /** Milliseconds for the whole download, including redirects. */
  timeoutMs: number;
  maxBytes: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Downloads from an address that a user gave.
 * @throws AddressRefused, also for the target of a redirect; RangeError for a body that is too large or too many redirects
 */
export async function download(address: string, options: DownloadOptions): Promise<Download> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = new URL(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await open(url, options, signal);
    const { statusCode: status = 0, headers } = response;
    if (!REDIRECTS.has(status) || headers.location === undefined) {
      return { status, contentType: headers['content-type'], body: await read(response, options.maxBytes) };
    }
    response.destroy();
    url = new URL(headers.location, url);
  }
  throw new RangeError(`more than ${MAX_REDIRECTS} redirects`);
}

function open(url: URL, { outbound, headers = {} }: DownloadOptions, signal: AbortSignal): Promise<IncomingMessage> {
  outbound.check(url);
  // A new connection: the address of a kept connection was checked for another request.
  const options: RequestOptions = { agent: false, lookup: outbound.lookup, signal, headers: { ...headers, 'accept-encoding': 'identity' } };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.once('response', resolve).on('error', reject).end();
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new RangeError(`more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
