'use strict';

// An OpenAI-compatible provider that says as many words as it is told, as evenly as timers allow. Messages of its parent:
// { tokens, firstMs, everyMs }.
const http = require('node:http');

let plan = { tokens: 20, firstMs: 20, everyMs: 5 };
process.on('message', (told) => {
  plan = /** @type {typeof plan} */ (told);
  process.send?.({ plan });
});

const chunk = (/** @type {object} */ more) => `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', ...more })}\n\n`;
const said = (/** @type {string} */ content) => chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });

/** @param {import('node:http').ServerResponse} response */
function answer(response) {
  const { tokens, firstMs, everyMs } = plan;
  let count = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const say = () => {
    response.write(said(`word${count} `));
    if (++count < tokens) return;
    clearInterval(timer);
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.write(chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens } }));
    response.end('data: [DONE]\n\n');
  };
  const begin = () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    timer = setInterval(say, everyMs);
    say();
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
