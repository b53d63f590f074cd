const LINE_END = /\r\n|\r|\n/;

/** The data of each server-sent event, wherever the chunks are split. Ends with the stream; leaving the loop early cancels the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end of a chunk may be followed by its line feed in the next one.
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
    // Cancelling a stream that has ended or failed rejects, which is harmless.
    void reader.cancel().catch(() => undefined);
  }
}
