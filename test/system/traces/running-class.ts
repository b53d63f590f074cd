import { readFileSync } from 'node:fs';
import {
  adminApi,
  type Answer,
  ApiClient,
  eventually,
  type RecordedOpenAi,
  RtcParticipant,
  type SourceFile,
  type TestStack,
} from '@classroom/testing';
import { Upload } from 'tus-js-client';
import { PRICES } from '../ai/ai-fixture.js';
import { picture } from '../ai/questions.js';
import { newCanaries } from './canaries.js';

/** Timeout in milliseconds. Speed is not tested here. */
const TIMEOUT_MS = 120_000;
const MODELS = { chat: 'recorded-chat', speechToText: 'recorded-listener', textToSpeech: 'recorded-speaker' };
/** Prices so high that an answer costs whole credits. */
const CREDITS = { perMillionInputTokens: '100000', perMillionOutputTokens: '100000' };
const HOURS = 3_600_000;
/** The empty timeout of the class, longer than the test takes. */
const EMPTY_SECONDS = 1_800;

/** The trace of the request that began each action. */
export type Actions = Record<
  | 'registerWebhook'
  | 'create'
  | 'join'
  | 'session'
  | 'chat'
  | 'agent'
  | 'tutor'
  | 'record'
  | 'refused'
  | 'stop'
  | 'upload'
  | 'play'
  | 'publish'
  | 'end',
  string
>;

interface Person {
  rtc: RtcParticipant;
  api: ApiClient;
}

type Send<B> = () => Promise<Answer<B>>;

export class RunningClass {
  readonly actions: Partial<Actions> = {};
  readonly secrets: Record<string, string>;
  private readonly own = newCanaries();
  private readonly from = { 'X-Forwarded-For': this.own.address };
  private readonly api: ApiClient;
  private sid = '';

  constructor(
    private readonly stack: TestStack,
    private readonly provider: RecordedOpenAi,
    private readonly urls: { models: string; school: string },
  ) {
    const { databasePasswords, ...keys } = stack.secrets as Record<string, string> & { databasePasswords?: Record<string, string> };
    this.secrets = { ...this.own, ...keys, ...databasePasswords };
    this.api = new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': this.own.organizationId, ...this.from });
  }

  async run(film: SourceFile): Promise<void> {
    await this.openSchool();
    await this.registerWebhook();
    const teacher = await this.openClass();
    const student = await this.join();
    await this.live(2);
    await this.took('chat', () => student.api.post('/v1/classroom/chat', { text: this.own.chat }));
    await this.ask();
    await this.store(film);
    await this.record();
    const left = await this.findNoRecorder();
    await this.publish(await this.stop());
    await this.took('end', () => this.api.delete(this.path));
    await eventually(() => {
      if (!teacher.rtc.disconnected || !student.rtc.disconnected) throw new Error('the class continues');
    }, TIMEOUT_MS);
    await this.settled(this.sid);
    await this.stack.moveClock(8 * HOURS);
    await this.row('SELECT 1 FROM recording.recordings WHERE sid = $1 AND deleted_at IS NOT NULL', this.sid);
    await this.settled(left);
  }

  private async openSchool(): Promise<void> {
    const { organizationId, organizationName, answer, modelKey } = this.own;
    const admin = adminApi(this.stack).with(this.from);
    const billing = { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' };
    await ok(() => admin.post('/v1/admin/organizations', { organizationId, name: organizationName, billing }));
    const at = { provider: 'openai-compatible', baseUrl: this.urls.models, apiKey: modelKey };
    const models = Object.fromEntries(Object.entries(MODELS).map(([use, model]) => [use, { ...at, model }]));
    await ok(() =>
      admin.patch(`/v1/admin/organizations/${organizationId}/ai`, {
        ...models,
        prices: [{ model: MODELS.chat, ...PRICES }],
        credits: CREDITS,
      }),
    );
    this.provider.behave({ answer: `It is ${answer}.` });
  }

  private async registerWebhook(): Promise<void> {
    const { data } = await this.took('registerWebhook', () =>
      this.api.post('/v1/webhook-endpoints', { url: this.urls.school, description: this.own.description }),
    );
    this.secrets['webhook secret'] = data.secret;
    this.secrets['webhook address'] = new URL(this.urls.school).pathname;
  }

  private async openClass(): Promise<Person> {
    const { roomId, title, description, notes } = this.own;
    const { data } = await this.took('create', () =>
      this.api.post('/v1/room/create', { roomId, title, roomDescription: description, participant: this.teacher }),
    );
    this.sid = data.room.sid;
    await ok(() => this.api.post(`${this.path}/context`, { topic: title, notes }));
    const teacher = await this.enter(data.token);
    await teacher.rtc.publish();
    return teacher;
  }

  private async join(): Promise<Person> {
    const participant = { uid: this.own.student, name: this.own.studentName, role: 'STUDENT' };
    const { data } = await this.took('join', () => this.api.post(`${this.path}/join`, { participant }));
    return this.enter(data.token);
  }

  private async enter(token: string): Promise<Person> {
    const { data } = await this.took('session', () => this.api.bearer(token).with(this.from).post('/v1/classroom/session'));
    const { classroomToken, livekitToken } = data;
    for (const secret of [token, classroomToken, livekitToken])
      this.secrets[`token ${Object.keys(this.secrets).length}`] = signatureOf(secret);
    const rtc = await RtcParticipant.connect(this.stack.urls.livekitPublic, livekitToken);
    return { rtc, api: this.api.bearer(classroomToken).with(this.from) };
  }

  private async ask(): Promise<void> {
    const { prompt, roomId, organizationId, student, chatId } = this.own;
    const image = { image: picture().toString('base64'), imageMimeType: 'image/png' };
    await this.took('agent', () => this.api.post('/v1/ai-agent/chat', { chatId, message: prompt, ...image }));
    await this.took('tutor', () => this.api.post('/v1/ai-tutor/chat', { roomId, organizationId, studentUid: student, text: prompt }));
  }

  private async record(): Promise<void> {
    // Unavailable while the recorder that has just started checks whether its browser can record.
    await this.took('record', () => this.api.post(`${this.path}/recording/start`, { options: { preset: 'H264_720P_30' } }));
    await this.recorded('ACTIVE');
  }

  /** @returns the recording's id when its file is complete */
  private async stop(): Promise<string> {
    await this.took('stop', () => this.api.post(`${this.path}/recording/stop`));
    return this.recorded('COMPLETED');
  }

  /** Creates a second class, for which no recorder is free and which no participant ends. @returns its sid */
  private async findNoRecorder(): Promise<string> {
    const { otherRoomId: roomId, title } = this.own;
    const settings = { emptyTimeout: EMPTY_SECONDS };
    const { data } = (await ok(() => this.api.post('/v1/room/create', { roomId, title, participant: this.teacher, settings }))).body;
    const { rtc } = await this.enter(data.token);
    await eventually(async () => {
      const answer = await this.api.post(`/v1/room/${roomId}/recording/start`);
      if (answer.status !== 503) throw new Error(`a recording that no recorder can take: ${answer.status} ${answer.text}`);
      this.note('refused', answer);
    }, TIMEOUT_MS);
    await rtc.leave();
    return data.room.sid;
  }

  private async store({ path, contentType }: SourceFile): Promise<void> {
    const bytes = readFileSync(path);
    const about = { title: this.own.videoTitle, fileName: `${this.own.fileName}.mp4`, size: bytes.length, contentType };
    const { videoId, upload } = (await ok(() => this.api.post('/v1/cdn/videos', about))).body.data;
    this.secrets['upload'] = upload.url.slice(upload.url.lastIndexOf('/') + 1);
    await this.upload(bytes, upload.url);
    await this.stored(videoId);
    await this.play((await ok(() => this.api.get(`/v1/cdn/videos/${videoId}/url`))).body.data.url as string);
  }

  private upload(bytes: Buffer, uploadUrl: string): Promise<void> {
    const onAfterResponse = (_: unknown, answer: { getHeader(name: string): string | undefined }) => {
      this.actions.upload = answer.getHeader('x-trace-id') ?? '';
    };
    return new Promise((resolve, reject) => {
      const options = { uploadUrl, headers: this.from, retryDelays: [1_000, 1_000], chunkSize: 8 * 1024 * 1024, onAfterResponse };
      new Upload(bytes, { ...options, onSuccess: () => resolve(), onError: reject }).start();
    });
  }

  private async play(master: string): Promise<void> {
    this.secrets['playback'] = signatureOf(new URL(master).pathname.split('/').at(3));
    const playlist = (await (await fetch(master)).text()).split('\n').find((line) => line && !line.startsWith('#'));
    const { headers } = await fetch(new URL(playlist ?? '', master), { headers: this.from });
    this.actions.play = headers.get('x-trace-id') ?? '';
  }

  private async publish(recordingId: string): Promise<void> {
    const { data } = await this.took('publish', () => this.api.post(`${this.path}/recordings/${recordingId}/publish`));
    await this.stored(data.videoId);
  }

  private recorded(status: string): Promise<string> {
    return eventually(async () => {
      const [recording] = (await this.api.get(`${this.path}/recordings`)).body.data;
      if (recording?.status !== status) throw new Error(`the recording is ${recording?.status}, not ${status}`);
      return recording.recordingId;
    }, TIMEOUT_MS);
  }

  private async stored(videoId: string): Promise<void> {
    await eventually(async () => {
      const { status } = (await this.api.get(`/v1/cdn/videos/${videoId}/status`)).body.data;
      if (status !== 'completed') throw new Error(`the video is ${status}`);
    }, TIMEOUT_MS);
  }

  private async live(count: number): Promise<void> {
    await eventually(async () => {
      const { participantCount } = (await this.api.get(`${this.path}/status`)).body.data;
      if (participantCount !== count) throw new Error(`${participantCount} people are in class`);
    }, TIMEOUT_MS);
  }

  private settled = (sid: string) => this.row('SELECT 1 FROM billing.room_meters WHERE sid = $1 AND settled_at IS NOT NULL', sid);

  private async row(sql: string, sid: string): Promise<void> {
    await eventually(async () => {
      if ((await this.stack.rows(sql, [sid])).length === 0) throw new Error(`no row: ${sql}`);
    }, TIMEOUT_MS);
  }

  private async took<B>(action: keyof Actions, send: Send<B>): Promise<B> {
    const answer = await ok(send);
    this.note(action, answer);
    return answer.body;
  }

  private note(action: keyof Actions, { headers }: Answer): void {
    this.actions[action] = headers.get('x-trace-id') ?? '';
  }

  private get teacher() {
    return { uid: this.own.teacher, name: this.own.teacherName, role: 'TEACHER' };
  }

  private get path() {
    return `/v1/room/${this.own.roomId}` as const;
  }
}

/** The signature of a token. The parts before it contain only identifiers, which are searched for separately. */
const signatureOf = (token = '') => token.slice(token.lastIndexOf('.') + 1);

/**
 * Sends a request, and repeats it while the answer is 503, as the SDK does: on a busy machine, a service may not answer in time.
 * @throws if the request is refused
 */
async function ok<B>(send: Send<B>): Promise<Answer<B>> {
  const answer = await eventually(async () => {
    const received = await send();
    if (received.status === 503) throw new Error(`unavailable: ${received.text}`);
    return received;
  }, TIMEOUT_MS);
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer;
}
