import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { AppError, getOrganization, updateAiSettings, usageRecorded, type RpcContract } from '@classroom/contracts';
import { MESSAGING_MIGRATIONS, Outbox, type OutboxRelay, type RpcClient } from '@classroom/messaging';
import { connect, Database, runMigrations } from '@classroom/persistence';
import { logger, SystemClock } from '@classroom/platform';
import { RecordedOpenAi, rowsWith, TestStack, writtenFacts } from '@classroom/testing';
import { entities } from '../src/schema/sql.js';
import type { AiConfig } from '../src/config.js';
import { Providers } from '../src/providers/providers.js';
import { NO_USAGE } from '../src/models/task-models.js';
import { GetAiSettings, UpdateAiSettings } from '../src/settings/ai-settings.js';
import { ResealKeys } from '../src/settings/reseal-keys.js';
import { SettingsRepository } from '../src/settings/settings.repository.js';
import { CallLog } from '../src/usage/call-log.js';
import { UsageRepository } from '../src/usage/usage.repository.js';
import { allOf, ask, failureOf, never } from './support/conformance.js';

let stack: TestStack;
let dataSource: DataSource;
let settings: SettingsRepository;
let get: GetAiSettings;
let update: UpdateAiSettings;
let providers: Providers;
const server = new RecordedOpenAi();
const other = new RecordedOpenAi();
const known = new Set<string>();

const SECRET = 'a secret of at least thirty-two characters';
const OTHER_SECRET = 'another secret of at least thirty-two characters';
const config = (url: string, ...secrets: string[]) =>
  ({
    AI_MODELS: { chat: { provider: 'openai-compatible', model: 'installed', baseUrl: url, apiKey: 'sk-installation' } },
    AI_FIRST_TOKEN_SECONDS: 2,
    AI_TOTAL_SECONDS: 10,
    AI_KEY_SECRET: secrets.length > 0 ? secrets : [SECRET],
    AI_PRICES: [
      { model: 'installed', perMillionInputTokens: '2', perMillionOutputTokens: '0', perMinuteOfAudio: '0', perMillionCharacters: '0' },
    ],
    ESPEAK_PATH: 'espeak-ng',
    PATH: process.env['PATH'],
  }) as AiConfig;

/** The organization service: knows only the organizations in `known`. */
const directory = {
  call: async (contract: RpcContract, { organizationId }: { organizationId: string }) => {
    expect(contract).toBe(getOrganization);
    if (!known.has(organizationId)) throw new AppError('ORGANIZATION_NOT_FOUND');
    return { organizationId };
  },
} as unknown as RpcClient;

beforeAll(async () => {
  logger.level = 'silent';
  const { url: modelUrl } = await server.start();
  await other.start();
  stack = await TestStack.parts(['postgres']);
  const url = new URL(stack.urls.postgresAdmin);
  url.username = 'classroom_ai';
  url.password = 'pw';
  const database = { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
  await runMigrations({ schema: 'ai', directories: [MESSAGING_MIGRATIONS, join(__dirname, '..', 'migrations')], config: database });
  dataSource = await connect({ url: url.href, schema: 'ai', entities });
  settings = new SettingsRepository(new Database(dataSource));
  update = new UpdateAiSettings(config(modelUrl), new Database(dataSource), settings, directory, new SystemClock());
  get = new GetAiSettings(settings, directory);
  providers = new Providers(config(modelUrl), settings);
});
afterAll(async () => {
  await dataSource?.destroy();
  await Promise.all([stack?.stop(), server.stop(), other.stop()]);
});
beforeEach(() => {
  server.reset();
  other.reset();
});

const newOrganization = () => {
  const organizationId = `org_${randomUUID()}`;
  known.add(organizationId);
  return organizationId;
};
const change = (organizationId: string, changes: object) => update.execute(updateAiSettings.input.parse({ organizationId, changes }));
const askModel = async (organizationId: string) => {
  const { provider } = await providers.forOrganization(organizationId);
  await allOf(await provider.chat(ask('Hello?'), never()));
};
const keysSent = (model: RecordedOpenAi) => model.requests.map(({ headers }) => headers['authorization']);

it('returns empty settings for an organization that has changed none, and refuses an unknown organization', async () => {
  const organizationId = newOrganization();
  const nothing = {
    chat: null,
    chatFallback: null,
    speechToText: null,
    textToSpeech: null,
    embedding: null,
    prices: null,
    credits: null,
    updatedAt: null,
  };
  expect(await get.execute({ organizationId })).toEqual({ organizationId, ...nothing });
  expect(await failureOf(get.execute({ organizationId: 'org_unknown' }))).toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
  expect(await failureOf(change('org_unknown', { prices: [] }))).toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
  expect(await settings.find('org_unknown')).toBeUndefined();
});

it('stores a key that it never returns, and calls the organization’s own model with it', async () => {
  const organizationId = newOrganization();
  await askModel(organizationId);
  const chat = { provider: 'openai-compatible', model: 'own', baseUrl: other.url, apiKey: 'sk-of-the-school' };
  const shown = await change(organizationId, { chat });
  expect(shown.chat).toEqual({ provider: 'openai-compatible', model: 'own', baseUrl: other.url, hasApiKey: true });
  expect(JSON.stringify([shown, await get.execute({ organizationId })])).not.toContain('sk-of-the-school');
  expect(await rowsWith(stack, 'sk-of-the-school')).toEqual({});

  await askModel(organizationId);
  expect(keysSent(server)).toEqual(['Bearer sk-installation']);
  expect(keysSent(other)).toEqual(['Bearer sk-of-the-school']);
  expect(other.requests[0]?.body['model']).toBe('own');
});

it('keeps omitted settings, resets null ones, and sends a key to no other address', async () => {
  const organizationId = newOrganization();
  const chat = { provider: 'openai-compatible', model: 'own', baseUrl: other.url, apiKey: 'sk-of-the-school' };
  await change(organizationId, { chat, embedding: { provider: 'google', model: 'embed', apiKey: 'g' } });

  await change(organizationId, { chat: { ...chat, model: 'newer', apiKey: undefined } });
  await askModel(organizationId);
  expect(keysSent(other)).toEqual(['Bearer sk-of-the-school']);

  const moved = await change(organizationId, { chat: { ...chat, baseUrl: server.url, apiKey: undefined } });
  expect(moved).toMatchObject({ chat: { hasApiKey: false }, embedding: { provider: 'google', hasApiKey: true } });
  await askModel(organizationId);
  expect(keysSent(server).join()).not.toContain('sk-');

  expect(await change(organizationId, { chat: null })).toMatchObject({ chat: null, embedding: { model: 'embed' } });
  await askModel(organizationId);
  expect(keysSent(server).at(-1)).toBe('Bearer sk-installation');
});

it('refuses a model for a task that its provider does not support', () => {
  for (const [task, provider] of [
    ['speechToText', 'anthropic'],
    ['textToSpeech', 'google'],
    ['embedding', 'anthropic'],
  ] as const) {
    const { error } = updateAiSettings.body.safeParse({ [task]: { provider, model: 'm' } });
    expect(error?.issues.map(({ path }) => path)).toEqual([[task, 'provider']]);
  }
});

it('loses none of several concurrent changes', async () => {
  const organizationId = newOrganization();
  const tasks = ['chat', 'chatFallback', 'speechToText', 'textToSpeech', 'embedding'];
  await Promise.all(
    tasks.map((task) => change(organizationId, { [task]: { provider: 'openai-compatible', model: task, baseUrl: other.url } })),
  );
  const row = await settings.find(organizationId);
  expect(row?.version).toBe(tasks.length);
  expect(Object.keys(row?.choices ?? {}).sort()).toEqual([...tasks].sort());
});

it('uses the organization’s prices before the installation’s, and charges credits if they have a price', async () => {
  const organizationId = newOrganization();
  const used = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 1_000 };
  const by = { provider: 'openai-compatible', model: 'installed' };
  const before = await providers.forOrganization(organizationId);
  expect([before.price(by, used).toNumber(), before.credits(used).toNumber()]).toEqual([2, 0]);
  expect(await providers.forOrganization(organizationId)).toBe(before);

  await change(organizationId, {
    prices: [{ model: 'installed', perMillionInputTokens: 0.5 }],
    credits: { perMillionInputTokens: '10', perMillionOutputTokens: '100' },
  });
  const after = await providers.forOrganization(organizationId);
  expect([after.price(by, used).toNumber(), after.credits(used).toNumber()]).toEqual([0.5, 10.1]);
  expect(after.nameOf('chat')).toEqual(by);

  await change(organizationId, { chat: { provider: 'offline', model: 'offline' } });
  const offline = await providers.forOrganization(organizationId);
  expect(offline.provider.isOffline).toBe(true);
  expect(offline.credits(used).toNumber()).toBe(0);
});

it('reports that a key sealed under another secret must be set again', async () => {
  const organizationId = newOrganization();
  await change(organizationId, { chat: { provider: 'openai-compatible', model: 'own', baseUrl: other.url, apiKey: 'sk-of-the-school' } });
  const moved = new Providers(config(server.url, OTHER_SECRET), settings);
  expect(await failureOf(moved.forOrganization(organizationId))).toMatchObject({
    code: 'AI_UNAVAILABLE',
    message: expect.stringContaining('must be set again'),
  });
});

it('changes its secret without losing a key: both are accepted until all keys are sealed under the new one', async () => {
  const organizationId = newOrganization();
  const own = { provider: 'openai-compatible', model: 'own', baseUrl: other.url };
  await change(organizationId, { chat: { ...own, apiKey: 'sk-chat' }, embedding: { ...own, apiKey: 'sk-embedding' } });
  const before = await settings.find(organizationId);
  const both = config(server.url, OTHER_SECRET, SECRET);
  const reseal = new ResealKeys(both, new Database(dataSource), settings);
  const asked = async (by: Providers) => allOf(await (await by.forOrganization(organizationId)).provider.chat(ask('Hello?'), never()));

  await asked(new Providers(both, settings));
  expect((await reseal.resealing.run()).sealed).toBeGreaterThanOrEqual(2);
  expect(await reseal.resealing.run()).toMatchObject({ sealed: 0 });
  const after = await settings.find(organizationId);
  expect({ ...after, choices: undefined }).toEqual({ ...before, choices: undefined });

  await asked(new Providers(config(server.url, OTHER_SECRET), settings));
  expect(keysSent(other)).toEqual(['Bearer sk-chat', 'Bearer sk-chat']);
  expect(await failureOf(new Providers(config(server.url), settings).forOrganization(organizationId))).toMatchObject({
    code: 'AI_UNAVAILABLE',
  });
});

it('keeps organizations apart that use the same model with their own keys', async () => {
  const organizations = Array.from({ length: 8 }, newOrganization);
  await Promise.all(
    organizations.map((organizationId) =>
      change(organizationId, {
        chat: { provider: 'openai-compatible', model: 'same', baseUrl: other.url, apiKey: `key-of-${organizationId}` },
      }),
    ),
  );
  // One organization's failures must not open the circuit breaker of another.
  other.behave(({ headers }) => (headers['authorization']?.includes(organizations[0] ?? '') ? { status: 500 } : { answer: 'fine' }));
  const corrupted = await providers.forOrganization(organizations[0] ?? '');
  for (let times = 0; times < 3; times++) await failureOf(corrupted.provider.chat(ask('Hello?'), never()));
  for (const organizationId of organizations.slice(1)) await askModel(organizationId);
  const perKey = new Map<unknown, number>();
  for (const key of keysSent(other)) perKey.set(key, (perKey.get(key) ?? 0) + 1);
  expect(organizations.slice(1).map((organizationId) => perKey.get(`Bearer key-of-${organizationId}`))).toEqual(
    Array.from({ length: 7 }, () => 1),
  );
});

describe('the usage of a turn', () => {
  const clock = new SystemClock();
  const turn = async () => {
    const organizationId = newOrganization();
    await change(organizationId, {
      credits: { perMillionInputTokens: 1_000, perMillionOutputTokens: 1_000, perMinuteOfAudio: 0, perMillionCharacters: 0 },
    });
    const ai = await providers.forOrganization(organizationId);
    const database = new Database(dataSource);
    const usage = new UsageRepository(database, new Outbox(clock, { wake: () => undefined } as OutboxRelay));
    const cause = { organizationId, kind: 'agent' as const, chatKey: randomUUID(), turnId: randomUUID(), sid: null, studentUid: null };
    const answered = new CallLog(ai, cause, clock);
    const { answer, end } = await answered.chat(ask('Hello?'), never());
    await allOf(answer);
    end('finished');
    await answered.call('speech', never(), async () => ({ by: { provider: 'a', model: 'b' }, used: { ...NO_USAGE, inputTokens: 10 } }));
    /** The log of a process that ends the turn because its process seems to be dead. */
    const abandoned = () => {
      const log = new CallLog(ai, { ...cause, turnId: null }, clock);
      log.addAbandoned(cause.turnId, { turns: [], question: 'Hello?' });
      return log;
    };
    const store = (log: CallLog) => database.transaction((tx) => usage.add(tx, log.entries));
    const stored = async () => {
      const rows = await stack.rows<{ task: string; outcome: string }>(
        'SELECT task, outcome FROM ai.usage WHERE organization_id = $1 ORDER BY task, outcome',
        [organizationId],
      );
      const facts = await writtenFacts(stack, usageRecorded);
      const written = facts.filter(({ data }) => data.organizationId === organizationId);
      return [...rows.map(({ task, outcome }) => `${task} ${outcome}`), written.length];
    };
    return { answered, abandoned, store, stored };
  };

  it('is stored and published once if the answer to a commit was lost and it is stored again', async () => {
    const { answered, store, stored } = await turn();
    await store(answered);
    await store(answered);
    expect(await stored()).toEqual(['chat finished', 'speech finished', 2]);
  });

  it('is charged once if its process only seemed to be dead, whichever is first', async () => {
    const late = await turn();
    await late.store(late.abandoned());
    await late.store(late.answered);
    expect(await late.stored()).toEqual(['chat cut_off', 'speech finished', 2]);
    const early = await turn();
    await early.store(early.answered);
    await early.store(early.abandoned());
    await early.store(early.abandoned());
    expect(await early.stored()).toEqual(['chat finished', 'speech finished', 2]);
  });
});
