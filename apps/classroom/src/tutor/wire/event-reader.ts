const LINE_END = /\r\n|\r|\n/;

/** The data of each server-sent event, however the bytes are cut. Ends with the stream; leaving the loop early cancels it. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A line feed may still follow a carriage return at the very end.
      const lines = (done || !rest.endsWith('\r') ? rest : rest.slice(0, -1)).split(LINE_END);
      rest = (lines.pop() ?? '') + (!done && rest.endsWith('\r') ? '\r' : '');
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
        if (line !== '' || data.length === 0) continue;
        yield data.join('\n');
        data = [];
      }
      if (done) return;
    }
  } finally {
    // What was read to its end or broke off can't be cancelled any more, and need not be.
    void reader.cancel().catch(() => undefined);
  }
}
