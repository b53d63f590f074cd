// An OpenAI-compatible provider that sends a given number of words, as evenly as timers allow. Its parent process sends the plan: { tokens,
// firstMs, everyMs }.
import http from 'node:http';
import type { ServerResponse } from 'node:http';

let plan = { tokens: 20, firstMs: 20, everyMs: 5 };
process.on('message', (message) => {
  plan = message as typeof plan;
  process.send?.({ plan });
});

const chunk = (more: object) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', ...more })}\n\n`;
const wordChunk = (content: string) => chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });

function answer(response: ServerResponse) {
  const { tokens, firstMs, everyMs } = plan;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const sendNext = () => {
    response.write(wordChunk(`word${count} `));
    if (++count < tokens) return;
    clearInterval(timer);
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.write(chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens } }));
    response.end('data: [DONE]\n\n');
  };
  const begin = () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    timer = setInterval(sendNext, everyMs);
    sendNext();
  };
  const first = setTimeout(begin, firstMs);
  response.on('close', () => {
    clearTimeout(first);
    clearInterval(timer);
  });
}

const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => answer(response));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_000 }, () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
