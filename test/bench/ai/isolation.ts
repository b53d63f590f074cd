// node tools/bootstrap.cjs test/bench/ai/isolation.ts [--calls=10000]
// Checks that no text of one organization, room, student or chat is ever sent to the model, or returned, in a call of another one.
import { parseArgs } from 'node:util';
import { RecordedOpenAi, SimulatedLiveKit, TestStack, newOrganization } from '@classroom/testing';
import { mixCalls, SCHOOLS } from './mixed-calls.ts';

const { values: flags } = parseArgs({ options: { calls: { type: 'string' } } });
const CALLS = Number(flags.calls ?? 10_000);
/** So small that each chat is summarized repeatedly. */
const CONTEXT_TOKENS = '1000';

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

async function main() {
  const provider = new RecordedOpenAi();
  const livekit = new SimulatedLiveKit({ webhookUrls: [] });
  let stack: TestStack | undefined;
  try {
    say('starting the stack');
    const { url } = await provider.start();
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await livekit.start();
    const ai = {
      AI_MODELS: JSON.stringify({ chat: { provider: 'openai-compatible', model: 'recorded', baseUrl: url, apiKey: 'none' } }),
      AI_CONTEXT_TOKENS: CONTEXT_TOKENS,
    };
    const apps = ['organization', 'room', 'gateway', 'billing', 'ai'];
    stack = await TestStack.start({ apps, env: { ai }, livekit: false, livekitUrl, livekitApiKey, livekitApiSecret });
    const schools = [];
    for (let at = 0; at < SCHOOLS; at++) schools.push(await newOrganization(stack));
    const { answered, hungUp, asked, marks, foreign, failures } = await mixCalls({
      gateway: stack.urls.gateway,
      schools,
      provider,
      calls: CALLS,
      print: say,
    });
    say(
      `${answered} calls answered, ${hungUp} hung up; the provider got ${asked} requests with ${marks} marks; ${foreign.length} foreign texts, ${failures.length} failures`,
    );
    for (const line of [...foreign, ...failures].slice(0, 20)) console.log(`  ${line}`);
    if (foreign.length + failures.length > 0) process.exitCode = 1;
  } finally {
    await stack?.stop();
    await livekit.stop();
    await provider.stop();
  }
}

void main();
