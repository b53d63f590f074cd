import { LogOutput } from './log-output.js';

/** A log whose disk has space for `room` bytes. */
class Log {
  text = '';
  room = Infinity;

  private readonly output = new LogOutput(
    (bytes) => {
      if (this.room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const written = bytes.subarray(0, Math.min(bytes.length, this.room));
      this.text += written.toString();
      this.room -= written.length;
      return written.length;
    },
    (dropped) => `${dropped} dropped\n`,
  );

  write(...lines: string[]): void {
    for (const line of lines) this.output.write(`${line}\n`);
  }
}

describe('a full disk', () => {
  it('loses log lines, and the next written line counts them', () => {
    const log = new Log();
    log.write('a');
    log.room = 0;
    log.write('b', 'c');
    log.room = Infinity;
    log.write('d', 'e');
    expect(log.text).toBe('a\n2 dropped\nd\ne\n');
  });

  it('that truncates a line leaves the next one complete', () => {
    const log = new Log();
    log.room = 3;
    log.write('a long line', 'b');
    log.room = Infinity;
    log.write('c');
    expect(log.text).toBe('a l\n2 dropped\nc\n');
  });

  it('that has space for a moment keeps the count', () => {
    const log = new Log();
    log.room = 0;
    log.write('a');
    log.room = 4;
    log.write('b');
    log.room = Infinity;
    log.write('c');
    expect(log.text).toBe('1 dr\n2 dropped\nc\n');
  });
});

describe('a pipe that is full', () => {
  it('blocks until it has space', () => {
    let text = '';
    let refusals = 3;
    const output = new LogOutput((bytes) => {
      if (refusals-- > 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
      text += bytes.toString();
      return bytes.length;
    }, String);
    output.write('a\n');
    expect(text).toBe('a\n');
  });
});
