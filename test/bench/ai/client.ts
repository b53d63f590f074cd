import http from 'node:http';

/** Number of bytes that are kept from the end of an answer: more than the longest mark, and enough to see what went wrong. */
const TAIL_BYTES = 300;

export interface Measurement {
  /** from the request to the first word */
  firstMs: number;
  totalMs: number;
  tokens: number;
}

/**
 * Sends a request and counts words as they arrive.
 * @param call `word` is a mark that appears once in each event with a word; `last` is the end of a complete answer
 */
export function listen({
  url,
  headers,
  body,
  agent,
  word,
  last,
}: {
  url: string;
  headers?: Record<string, string>;
  body: object;
  agent: http.Agent;
  word: string;
  last: string;
}): Promise<Measurement> {
  const sent = Buffer.from(JSON.stringify(body));
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': sent.length, ...headers },
    });
    request.setNoDelay(true);
    request.on('error', reject);
    request.on('response', (response) => {
      let firstMs = 0;
      let tokens = 0;
      let rest: Buffer = Buffer.alloc(0);
      response.on('data', (bytes) => {
        const text = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
        let from = 0;
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, from)) {
          tokens += 1;
          from = at + word.length;
        }
        if (tokens > 0 && firstMs === 0) firstMs = performance.now() - begun;
        // A word's mark or the answer's end may be split between two chunks.
        rest = text.subarray(Math.max(from, text.length - TAIL_BYTES));
      });
      response.on('error', reject);
      response.on('end', () => {
        const end = rest.toString().trimEnd();
        const isWhole = response.statusCode === 200 && end.endsWith(last);
        if (isWhole) resolve({ firstMs, tokens, totalMs: performance.now() - begun });
        else reject(new Error(`an answer did not come whole: ${response.statusCode} …${end.slice(-300)}`));
      });
    });
    request.end(sent);
  });
}
