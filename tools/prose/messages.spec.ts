import { messagesIn } from './messages.ts';

const textsOf = (source: string) => messagesIn('a.ts', source).map(({ line, text }) => `${line}: ${text}`);

describe('the messages of a file', () => {
  it('are the sentences in its strings, with their lines', () => {
    expect(textsOf("const a = 1;\nlogger.warn('the cache is down');\nthrow new Error(`no room ${roomId} here`);\n")).toEqual([
      '2: the cache is down',
      '3: no room X here',
    ]);
  });

  it('are neither names, nor SQL, nor what comments quote', () => {
    expect(
      textsOf("import x from './y.js';\nsql('rooms.find', 'SELECT sid FROM rooms');\n// 'not this one'\n/** 'nor this one' */\n"),
    ).toEqual([]);
  });
});
