import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  adminApi,
  ApiClient,
  type Answer,
  eventually,
  makeSource,
  RecordedOpenAi,
  RtcParticipant,
  type SourceFile,
  TestStack,
} from '@classroom/testing';
import { Upload } from 'tus-js-client';
import { picture } from '../ai/questions.js';

/** None of this is about speed. */
const PATIENCE_MS = 120_000;
/** Believed because the stack trusts who sends it: somebody's address, of a range that belongs to nobody. */
const ADDRESS = `203.0.113.${20 + (randomBytes(1)[0] ?? 0) % 200}`;
const MODELS = { chat: 'recorded-chat', speechToText: 'recorded-listener', textToSpeech: 'recorded-speaker' };
const HOURS = 3_600_000;

const canary = (kind: string) => `${kind}-${randomBytes(8).toString('hex')}`;

/** The trace of the request that began each thing that was done. */
export type Actions = Record<
  'create' | 'join' | 'session' | 'chat' | 'agent' | 'tutor' | 'record' | 'refused' | 'stop' | 'announce' | 'upload' | 'play' | 'publish' | 'end',
  string
>;

export interface TracedClass {
  stack: TestStack;
  sid: string;
  actions: Actions;
  /** What must stand in no trace and no log, by what it is. */
  canaries: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * One class on real parts: two people, chat, a tutor and an agent, a recording that is published and at last deleted, a
 * stored video, and a settled account. Resolves when all of it is over.
 */
export async function runTracedClass(): Promise<TracedClass> {
  const provider = new RecordedOpenAi();
  const { url } = await provider.start();
  const env = {
    // Whatever is ever logged.
    all: { LOG_LEVEL: 'trace' },
    gateway: { TRUSTED_PROXIES: '127.0.0.1' },
  };
  const stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing', 'recording', 'recorder', 'media', 'ai'], env });
  const folder = mkdtempSync(join(tmpdir(), 'traced-'));
  const stop = async () => {
    await RtcParticipant.disposeAll();
    await stack.stop();
    await provider.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const film = await makeSource(folder, 'silent', 2);
    const running = new RunningClass(stack, provider, url);
    await running.run(film);
    return { stack, sid: running.sid, actions: running.actions as Actions, canaries: running.canaries, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class RunningClass {
  readonly actions: Partial<Actions> = {};
  readonly canaries: Record<string, string> = {
    organizationId: canary('school'),
    organizationName: canary('college'),
    roomId: canary('class'),
    title: canary('title'),
    description: canary('description'),
    teacher: `${canary('teacher')}@school.example`,
    student: `${canary('student')}@school.example`,
    teacherName: canary('Ada'),
    studentName: canary('Grace'),
    address: ADDRESS,
    chat: canary('chat'),
    prompt: canary('prompt'),
    answer: canary('answer'),
    notes: canary('notes'),
    chatId: canary('dialogue'),
    videoTitle: canary('film'),
    fileName: canary('file'),
    modelKey: canary('key'),
  };
  sid = '';
  private readonly api: ApiClient;

  constructor(
    private readonly stack: TestStack,
    private readonly provider: RecordedOpenAi,
    private readonly modelUrl: string,
  ) {
    this.api = new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': this.secret('organizationId'), 'X-Forwarded-For': ADDRESS });
    for (const [name, value] of Object.entries(stack.secrets)) {
      if (typeof value === 'string' && value.length >= 16) this.canaries[`secret ${name}`] = value;
    }
  }

  async run(film: SourceFile): Promise<void> {
    await this.openSchool();
    const teacher = await this.openClass();
    const student = await this.enter('join', this.secret('student'), this.secret('studentName'), 'STUDENT');
    await this.live(2);
    await this.took('chat', student.api.post('/v1/classroom/chat', { text: this.secret('chat') }));
    await this.ask();
    const recorded = this.recording(async () => {
      await this.refusedRecording();
      await this.store(film);
    });
    const recordingId = await recorded;
    await this.publish(recordingId);
    await this.took('end', this.api.delete(this.path));
    await eventually(() => {
      if (!teacher.rtc.disconnected || !student.rtc.disconnected) throw new Error('the class goes on');
    }, PATIENCE_MS);
    await this.row('SELECT 1 FROM billing.room_meters WHERE sid = $1 AND settled_at IS NOT NULL', [this.sid]);
    await this.stack.moveClock(8 * HOURS);
    await this.row('SELECT 1 FROM recording.recordings WHERE sid = $1 AND deleted_at IS NOT NULL', [this.sid]);
  }

  private async openSchool(): Promise<void> {
    const admin = adminApi(this.stack).with({ 'X-Forwarded-For': ADDRESS });
    const organizationId = this.secret('organizationId');
    const billing = { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' };
    await ok(admin.post('/v1/admin/organizations', { organizationId, name: this.secret('organizationName'), billing }));
    const models = Object.entries(MODELS).map(([use, model]) => [
      use,
      { provider: 'openai-compatible', baseUrl: this.modelUrl, apiKey: this.secret('modelKey'), model },
    ]);
    await ok(admin.patch(`/v1/admin/organizations/${organizationId}/ai`, Object.fromEntries(models)));
    this.provider.behave({ answer: `It is ${this.secret('answer')}.` });
  }

  private async openClass(): Promise<Person> {
    const uid = this.secret('teacher');
    const { data } = await this.took('create', this.api.post('/v1/room/create', {
      roomId: this.secret('roomId'),
      title: this.secret('title'),
      roomDescription: this.secret('description'),
      participant: { uid, name: this.secret('teacherName'), role: 'TEACHER' },
    }));
    this.sid = (data['room'] as { sid: string }).sid;
    await ok(this.api.post(`${this.path}/context`, { topic: this.secret('title'), notes: this.secret('notes') }));
    const teacher = await this.session(String(data['token']));
    await teacher.rtc.publish();
    return teacher;
  }

  private async enter(action: keyof Actions, uid: string, name: string, role: string): Promise<Person> {
    const { data } = await this.took(action, this.api.post(`${this.path}/join`, { participant: { uid, name, role } }));
    return this.session(String(data['token']));
  }

  private async session(token: string): Promise<Person> {
    const api = this.api.bearer(token).with({ 'X-Forwarded-For': ADDRESS });
    const { data } = await this.took('session', api.post('/v1/classroom/session'));
    const { classroomToken, livekitToken } = data as Record<string, string>;
    for (const secret of [token, classroomToken, livekitToken]) this.canaries[`token ${Object.keys(this.canaries).length}`] = signatureOf(secret);
    const rtc = await RtcParticipant.connect(this.stack.urls.livekitPublic, livekitToken ?? '');
    return { rtc, api: this.api.bearer(classroomToken ?? '').with({ 'X-Forwarded-For': ADDRESS }) };
  }

  private async ask(): Promise<void> {
    const { prompt, roomId, organizationId, student, chatId } = this.canaries;
    const image = { image: picture().toString('base64'), imageMimeType: 'image/png' };
    await this.took('agent', this.api.post('/v1/ai-agent/chat', { chatId, message: prompt, ...image }));
    await this.took('tutor', this.api.post('/v1/ai-tutor/chat', { roomId, organizationId, studentUid: student, text: prompt }));
  }

  /** Resolves with its id once its file is there. */
  private async recording(meanwhile: () => Promise<void>): Promise<string> {
    const options = { preset: 'H264_720P_30' };
    await this.took('record', this.api.post(`${this.path}/recording/start`, { options }));
    await this.recorded('ACTIVE');
    await meanwhile();
    await this.took('stop', this.api.post(`${this.path}/recording/stop`));
    return this.recorded('COMPLETED');
  }

  /** A second class, for which no recorder is free. */
  private async refusedRecording(): Promise<void> {
    const roomId = canary('other');
    const participant = { uid: this.secret('teacher'), name: this.secret('teacherName'), role: 'TEACHER' };
    const { body } = await ok(this.api.post('/v1/room/create', { roomId, title: this.secret('title'), participant }));
    const { rtc } = await this.session(body.data.token);
    await eventually(async () => {
      const answer = await this.api.post(`/v1/room/${roomId}/recording/start`);
      if (answer.status !== 503) throw new Error(`a recording that no recorder can take: ${answer.status} ${answer.text}`);
      this.note('refused', answer);
    }, PATIENCE_MS);
    await rtc.leave();
    await ok(this.api.delete(`/v1/room/${roomId}`));
  }

  private async store({ path, contentType }: SourceFile): Promise<void> {
    const bytes = readFileSync(path);
    const about = { title: this.secret('videoTitle'), fileName: `${this.secret('fileName')}.mp4`, size: bytes.length, contentType };
    const { data } = await this.took('announce', this.api.post('/v1/cdn/videos', about));
    const { videoId, upload } = data as { videoId: string; upload: { url: string } };
    this.canaries['uploadId'] = upload.url.slice(upload.url.lastIndexOf('/') + 1);
    await this.upload(bytes, upload.url);
    await this.stored(videoId);
    const { body } = await ok(this.api.get(`/v1/cdn/videos/${videoId}/url`));
    const played = await fetch(String(body.data.url));
    if (!played.ok) throw new Error(`not played: ${played.status}`);
    const playlist = (await played.text()).split('\n').find((line) => line && !line.startsWith('#'));
    const part = await fetch(new URL(playlist ?? '', body.data.url));
    this.actions.play = part.headers.get('x-trace-id') ?? '';
    this.canaries['playback token'] = new URL(body.data.url).pathname.split('/').at(3)?.split('.').at(-1) ?? '';
  }

  private upload(bytes: Buffer, uploadUrl: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAfterResponse = (_: unknown, answer: { getHeader(name: string): string | undefined }) => {
        this.actions.upload = answer.getHeader('x-trace-id') ?? '';
      };
      new Upload(bytes, { uploadUrl, retryDelays: [], chunkSize: 8 * 1024 * 1024, onSuccess: () => resolve(), onError: reject, onAfterResponse }).start();
    });
  }

  private async publish(recordingId: string): Promise<void> {
    const { data } = await this.took('publish', this.api.post(`${this.path}/recordings/${recordingId}/publish`));
    await this.stored(String(data['videoId']));
  }

  private async recorded(status: string): Promise<string> {
    return eventually(async () => {
      const [recording] = (await this.api.get(`${this.path}/recordings`)).body.data as { recordingId: string; status: string }[];
      if (recording?.status !== status) throw new Error(`the recording is ${recording?.status}, not ${status}`);
      return recording.recordingId;
    }, PATIENCE_MS);
  }

  private async stored(videoId: string): Promise<void> {
    await eventually(async () => {
      const { status } = (await this.api.get(`/v1/cdn/videos/${videoId}/status`)).body.data;
      if (status !== 'completed') throw new Error(`the video is ${status}`);
    }, PATIENCE_MS);
  }

  private async live(count: number): Promise<void> {
    await eventually(async () => {
      const { participantCount } = (await this.api.get(`${this.path}/status`)).body.data;
      if (participantCount !== count) throw new Error(`${participantCount} people are in class`);
    }, PATIENCE_MS);
  }

  private async row(sql: string, parameters: unknown[]): Promise<void> {
    await eventually(async () => {
      if ((await this.stack.rows(sql, parameters)).length === 0) throw new Error(`no row: ${sql}`);
    }, PATIENCE_MS);
  }

  private async took(action: keyof Actions, call: Promise<Answer>): Promise<{ data: Record<string, unknown> }> {
    const answer = await ok(call);
    this.note(action, answer);
    return answer.body as { data: Record<string, unknown> };
  }

  private note(action: keyof Actions, { headers }: Answer): void {
    this.actions[action] = headers.get('x-trace-id') ?? '';
  }

  private get path(): string {
    return `/v1/room/${this.secret('roomId')}`;
  }

  private secret(name: string): string {
    const value = this.canaries[name];
    if (!value) throw new Error(`no ${name}`);
    return value;
  }
}

interface Person {
  rtc: RtcParticipant;
  api: ApiClient;
}

/** The part of a token that makes it one: what stands before it says only who and where, and is looked for by itself. */
const signatureOf = (token = '') => token.slice(token.lastIndexOf('.') + 1);

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function ok(call: Promise<Answer<any>>): Promise<Answer<any>> {
  const answer = await call;
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer;
}

export const newRequestId = () => `traced-${randomUUID()}`;
