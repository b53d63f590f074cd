/** Splits a byte stream into lines. Chunks may end anywhere, even within a character; the last line may lack its line feed. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partialLine: string[] = [];
  for await (const chunk of chunks) {
    const [end = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    partialLine.push(end);
    if (others.length === 0) continue;
    // The parts are joined once per line, because a line with audio arrives in many chunks.
    yield trimCarriageReturn(partialLine.join(''));
    partialLine = [others.pop() ?? ''];
    yield* others.map(trimCarriageReturn);
  }
  const last = partialLine.join('') + decoder.decode();
  if (last !== '') yield trimCarriageReturn(last);
}

const trimCarriageReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** A block of a stream of server-sent events. */
export interface Message {
  /** `message` if the block names no other. */
  event: string;
  /** The `data` lines, joined; empty if there are none. */
  data: string;
  /** The last id that was sent. */
  id: string | undefined;
}

/** Splits a byte stream into server-sent events. Comments are ignored. A block without data is yielded too, because it may move the id. */
export async function* messagesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  let id: string | undefined;
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    if (field === 'id') id = value;
    if (line !== '') continue;
    yield { event, data: data.join('\n'), id };
    event = 'message';
    data = [];
  }
}
