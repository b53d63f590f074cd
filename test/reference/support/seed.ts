import {
  adminApi,
  type Answer,
  type ApiClient,
  eventually,
  first,
  person,
  present,
  type SimulatedLiveKit,
  type TestStack,
} from '@classroom/testing';
import type { Given } from './given.js';
import type { Settings } from './settings.js';

const SCOPES = ['rooms:read', 'rooms:write', 'keys:manage'];

/** A school with everything that the reference's examples refer to, so that each of them can succeed. */
export class Seed {
  private constructor(
    private readonly stack: TestStack,
    private readonly livekit: SimulatedLiveKit,
    private readonly api: ApiClient,
    private readonly value: string,
    /** Id of an organization whose erasure was requested. */
    private readonly erased: string,
  ) {}

  static async plant(stack: TestStack, livekit: SimulatedLiveKit, anonymous: ApiClient): Promise<{ given: Given; settings: Settings }> {
    const admin = adminApi(stack);
    const billing = { type: 'PREPAID', credits: 1_000_000, creditRate: 0.01, currency: 'USD' };
    const { organizationId: value } = await ok(admin.post('/v1/admin/organizations', { name: 'Lakeside School', billing }));
    const { token: dashboardToken } = await ok(
      admin.post(`/v1/admin/organizations/${value}/dashboard-tokens`, { subject: 'head', role: 'OWNER', ttlSeconds: 3600 }),
    );
    const deputy = { subject: 'deputy', role: 'MEMBER' };
    const { sessionId } = await ok(admin.post(`/v1/admin/organizations/${value}/dashboard-tokens`, deputy));
    const { organizationId: other } = await ok(admin.post('/v1/admin/organizations', { name: 'Bayside School' }));
    const { id: erased } = await ok(admin.post('/v1/admin/organizations', { name: 'Hillside School' }));
    await ok(admin.delete(`/v1/admin/organizations/${erased}`));
    // The end of a postpaid plan leaves a statement.
    for (const plan of [{ ...billing, type: 'POSTPAID', billingFrequency: 'MONTHLY' }, billing])
      await ok(admin.patch(`/v1/admin/organizations/${value}`, { billing: plan }));
    const seed = new Seed(stack, livekit, anonymous.with({ 'VF-ORG-ID': value }), value, present(erased));
    const { given, settings } = await seed.all(dashboardToken);
    return {
      given: { ...given, operations: { ...given.operations, endDashboardSession: { params: { sessionId } } } },
      settings: { ...settings, schools: { revokeDashboardTokens: other } },
    };
  }

  private async all(dashboardToken: string): Promise<{ given: Given; settings: Omit<Settings, 'schools'> }> {
    const { api, value } = this;
    await this.openRoom('geometry-7b');
    for (const uid of ['student-731', 'leaves-1']) await this.enter('geometry-7b', uid);
    // A separate room: when a backend changes a room, the tokens of its participants end. All tokens are for this room, including those for others.
    const classroom = await this.openRoom('class');
    const student = await this.enter('class', 'student-731');
    for (const uid of ['leaves-2', 'rises-1']) await this.enter('class', uid);
    const admin = await this.enter('class', 'admin-1', 'ADMIN');
    // Opening a session again ends the previous one, so this participant gets a token of their own.
    const { joinToken } = await this.enter('class', 'teacher-13', 'TEACHER');
    const asked = await this.asksForConsent('consents');
    const ends = await this.openRoom('ends');
    await this.openRoom('deleted');
    await this.openRoom('records');
    for (const roomId of ['stops', 'pauses', 'resumes']) await this.openRoom(roomId);
    const recordsInClass = await this.openRoom('records-in-class');
    const stopsInClass = await this.openRoom('stops-in-class');
    const pausesInClass = await this.openRoom('pauses-in-class');
    const resumesInClass = await this.openRoom('resumes-in-class');
    for (const { roomId } of [stopsInClass, pausesInClass, resumesInClass]) await this.recording(roomId);
    for (const roomId of ['stops', 'pauses', 'resumes']) await this.recording(roomId);
    for (const roomId of ['resumes', 'resumes-in-class']) await ok(api.post(`/v1/room/${roomId}/recording/pause`));
    const recordingId = await this.recorded('recorded');
    const [open, closes] = [await this.poll(classroom), await this.poll(classroom)];
    const [reported, hidden, withdrawn] = [await this.message(classroom), await this.message(student), await this.message(student)];
    const [waiting, resolved] = [await this.question(student), await this.question(student)];
    const credential = await ok(api.post('/v1/credentials'));
    const [key, rotated, revoked] = [await this.key(), await this.key(), await this.key()];
    const [endpointId, deleted] = [await this.endpoint(), await this.endpoint()];
    const { deliveryId } = await ok(api.post(`/v1/webhook-endpoints/${endpointId}/test`));
    const { erasureId } = await ok(api.post('/v1/privacy/erasures', { uid: 'unknown-1' }));
    const bucket = this.bucket();
    await ok(api.put('/v1/recording-bucket', bucket));
    await ok(api.put('/v1/presets/lecture', {}));
    await ok(api.put('/v1/presets/deleted', {}));
    const { exportId } = await ok(api.post('/v1/privacy/exports', { uid: 'unknown-3' }));
    const [videoId, removed] = [await this.video(), await this.video()];
    const [documentId, thrownAway] = [await this.document('geometry-7b'), await this.document('geometry-7b')];
    const [shownInClass, thrownAwayInClass] = [await this.document('class'), await this.document('class')];
    const [statementId, entryId] = [await this.statement(), await this.charge()];
    return {
      given: {
        params: {
          roomId: 'geometry-7b',
          presetName: 'lecture',
          uid: 'student-731',
          videoId,
          documentId,
          recordingId,
          endpointId,
          deliveryId,
          pollId: open,
          questionId: waiting,
          erasureId,
          exportId,
          statementId,
          entryId,
        },
        operations: {
          tutorChat: { body: { organizationId: value } },
          tutorChatStream: { body: { organizationId: value } },
          createRoom: { body: { roomId: 'geometry-8a' } },
          setPreset: { params: { presetName: 'lecture-2' } },
          deletePreset: { params: { presetName: 'deleted' } },
          deleteRoom: { params: { roomId: 'deleted' } },
          startRecording: { params: { roomId: 'records' } },
          stopRecording: { params: { roomId: 'stops' } },
          pauseRecording: { params: { roomId: 'pauses' } },
          resumeRecording: { params: { roomId: 'resumes' } },
          mergeRecordings: { params: { roomId: 'recorded' } },
          publishRecording: { params: { roomId: 'recorded' } },
          downloadRecordings: { params: { roomId: 'recorded' } },
          getAttendance: { params: { roomId: 'recorded' } },
          getDashboardAttendance: { params: { roomId: 'recorded' } },
          downloadDashboardRecordings: { params: { roomId: 'recorded' } },
          removeParticipant: { params: { uid: 'leaves-1' } },
          removeParticipantInClass: { params: { uid: 'leaves-2' } },
          changeRoleInClass: { params: { uid: 'rises-1' } },
          changeRoomInClass: { body: { title: 'Geometry: right triangles' } },
          askTutorInClass: { body: { text: 'What is a hypotenuse?' } },
          sendChatMessage: { body: { text: 'Hello' } },
          reportChatMessage: { params: { messageId: reported } },
          deleteChatMessageInClass: { params: { messageId: hidden } },
          deleteChatMessage: { params: { roomId: 'class', messageId: withdrawn } },
          holdRecording: { params: { roomId: 'recorded' } },
          answerConsent: { body: { purpose: 'recording', version: '2026-1' } },
          closePoll: { params: { pollId: closes } },
          resolveQuestion: { params: { questionId: resolved } },
          answerQuestion: { params: { questionId: resolved } },
          rotateApiKey: { params: { keyId: rotated.keyId } },
          revokeCredential: { params: { credentialId: credential.credentialId } },
          revokeApiKey: { params: { keyId: revoked.keyId } },
          deleteWebhookEndpoint: { params: { endpointId: deleted } },
          createErasure: { body: { uid: 'unknown-2' } },
          deleteOrganization: { params: { organizationId: this.erased } },
          getOrganizationErasure: { params: { organizationId: this.erased } },
          setRecordingBucket: { body: bucket },
          deleteVideo: { params: { videoId: removed } },
          getDocumentInClass: { params: { documentId: shownInClass } },
          deleteDocument: { params: { documentId: thrownAway } },
          deleteDocumentInClass: { params: { documentId: thrownAwayInClass } },
        },
      },
      settings: {
        credentials: { credential: value, apiKey: key.secret, joinToken, classroomToken: classroom.token, dashboardToken },
        tokens: {
          endClass: ends.token,
          answerConsent: asked.token,
          changeRoleInClass: admin.token,
          changeRoomInClass: admin.token,
          startRecordingInClass: recordsInClass.token,
          stopRecordingInClass: stopsInClass.token,
          pauseRecordingInClass: pausesInClass.token,
          resumeRecordingInClass: resumesInClass.token,
          ...Object.fromEntries(
            ['askTutorInClass', 'askTeacher', 'votePoll', 'getTutorDialogue', 'reportChatMessage'].map((operationId) => [
              operationId,
              student.token,
            ]),
          ),
        },
      },
    };
  }

  /** Creates a class with its teacher in it. */
  private async openRoom(roomId: string): Promise<Member> {
    await ok(
      this.api.post('/v1/room/create', {
        roomId,
        title: 'Geometry',
        participant: person('teacher-12'),
        settings: { maxParticipants: 500 },
      }),
    );
    const member = await this.enter(roomId, 'teacher-12', 'TEACHER');
    await eventually(async () => expect((await ok(this.api.get(`/v1/room/${roomId}/status`))).isActive).toBe(true));
    return member;
  }

  /** Creates a class that asks for the consent of the reference's example. @returns a student in it */
  private async asksForConsent(roomId: string): Promise<Member> {
    await this.openRoom(roomId);
    const recording = { ask: 'recording', without: 'mute', version: '2026-1', text: 'May this class be recorded?' };
    await ok(this.api.patch(`/v1/room/${roomId}`, { settings: { consent: { recording } } }));
    return this.enter(roomId, 'student-88');
  }

  private async enter(roomId: string, uid: string, role = 'STUDENT'): Promise<Member> {
    const { token: joinToken } = await ok(this.api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) }));
    const { livekitToken, classroomToken } = await ok(this.api.bearer(joinToken).post('/v1/classroom/session'));
    await this.livekit.connect(livekitToken);
    return { joinToken, token: classroomToken, api: this.api.bearer(classroomToken), roomId };
  }

  private async message({ api }: Member): Promise<string> {
    return (await ok(api.post('/v1/classroom/chat', { text: 'Hello' }))).id;
  }

  private async recording(roomId: string): Promise<void> {
    await ok(this.api.post(`/v1/room/${roomId}/recording/start`));
    await this.reaches(roomId, 'ACTIVE');
  }

  /** Creates a class that has ended, with its recording. @returns the recording's id */
  private async recorded(roomId: string): Promise<string> {
    await this.openRoom(roomId);
    await this.recording(roomId);
    await ok(this.api.post(`/v1/room/${roomId}/recording/stop`));
    const recordingId = await this.reaches(roomId, 'COMPLETED');
    await ok(this.api.delete(`/v1/room/${roomId}`));
    return recordingId;
  }

  private reaches(roomId: string, status: string): Promise<string> {
    return eventually(async () => {
      const recording = first(await ok(this.api.get(`/v1/room/${roomId}/recordings`)));
      expect(recording?.status).toBe(status);
      return recording.recordingId;
    });
  }

  private poll = async ({ api }: Member): Promise<string> =>
    (await ok(api.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] }))).pollId;

  private async question({ api, roomId }: Member): Promise<string> {
    const text = 'What is a hypotenuse?';
    const answer = await api.post('/v1/classroom/tutor/chat/stream', { text });
    if (answer.status !== 200) throw new Error(`no tutor in ${roomId}: ${answer.text}`);
    const { turns } = await ok(api.get('/v1/classroom/tutor'));
    return first(turns.toReversed()).questionId;
  }

  private statement = (): Promise<string> =>
    eventually(async () => {
      const statement = first(await ok(this.api.get('/v1/billing/statements')));
      return statement.statementId;
    });

  /** The class that has ended is charged soon after. */
  private charge = (): Promise<string> =>
    eventually(async () => {
      const { entries } = await ok(this.api.get('/v1/billing/ledger?kind=CHARGE'));
      return first(entries).entryId;
    });

  private key = () => ok(this.api.post('/v1/api-keys', { name: 'Timetable', scopes: SCOPES }));

  private endpoint = async (): Promise<string> =>
    (await ok(this.api.post('/v1/webhook-endpoints', { url: 'https://lakeside.example/hook' }))).endpointId;

  /** A folder of the stack's own bucket. */
  private bucket() {
    const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = this.stack.secrets;
    return { endpoint: this.stack.urls.s3, bucket: 'classroom', prefix: 'recordings/copies', accessKeyId, secretAccessKey };
  }

  private document = async (roomId: string): Promise<string> => {
    const file = { title: 'Triangles', fileName: 'triangles.pdf', size: 1000, contentType: 'application/pdf' };
    return (await ok(this.api.post(`/v1/room/${roomId}/documents`, file))).documentId;
  };

  private video = async (): Promise<string> =>
    (await ok(this.api.post('/v1/cdn/videos', { title: 'A proof', fileName: 'proof.mp4', size: 1000, contentType: 'video/mp4' }))).videoId;
}

interface Member {
  roomId: string;
  joinToken: string;
  token: string;
  api: ApiClient;
}

/** @returns `data` of the answer @throws if the request was rejected */
async function ok<D>(calling: Promise<Answer<{ data: D }>>): Promise<D> {
  const { status, body, text } = await calling;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data;
}
