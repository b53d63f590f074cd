import type { Actions } from './running-class.js';

export interface Story {
  title: string;
  /** A request, a webhook from LiveKit, or work that a service starts by itself. */
  begins: keyof Actions | { webhook: string } | { work: string };
  chains: string[];
}

const API = 'gateway POST /v1';
const CREATE = `${API}/room/create → gateway rpc.room.room.create.v1 → room rpc.room.room.create.v1`;
const RECORD = `${API}/room/:roomId/recording/start → recording rpc.recording.recording.start.v1`;
const CAPTURE = `${RECORD} → recording rpc.recorder.capture.start.v1 → recorder rpc.recorder.capture.start.v1`;
const FINISH = `${RECORD} ↪ recorder finish capture`;
const FINALIZE = `${RECORD} ↪ recording process egress-finalization`;
const UPLOAD = 'gateway PATCH /uploads/* → gateway PATCH → media PATCH /uploads/:uploadId';
const PUBLISH = `${API}/room/:roomId/recordings/:recordingId/publish → gateway rpc.media.video.publish.v1 → media rpc.media.video.publish.v1`;
const AGENT = `${API}/ai-agent/chat → gateway rpc.ai.agent.chat.v1 → ai rpc.ai.agent.chat.v1`;
const WEBHOOK = 'gateway POST /livekit/webhook → gateway send LIVEKIT → room process room-presence';
const END = 'gateway DELETE /v1/room/:roomId → gateway rpc.room.room.end.v1 → room rpc.room.room.end.v1';
const ROOM_UPDATED = 'recording send EVENTS → room process room-recording → room pg.query:INSERT';
const WEBHOOK_DELIVERED =
  'room send EVENTS → organization process organization-facts ↪ organization deliver webhook → organization pg.query:UPDATE';
const SETTLED = 'room send EVENTS → billing process billing-fold ↪ billing process credit-rollup';

/** All parts of a class, each from the request or event that starts it to its last effect. */
export const STORIES: Story[] = [
  {
    title: 'a school registers a webhook endpoint',
    begins: 'registerWebhook',
    chains: [
      // The audit log has the call before it runs.
      `${API}/webhook-endpoints → gateway send AUDIT → organization process organization-audit`,
      // The organization's first request takes the first ones from the quota.
      `${API}/webhook-endpoints → gateway evalsha`,
      `${API}/webhook-endpoints → organization pg.query:INSERT`,
    ],
  },
  {
    title: 'a class is created, and the school is notified',
    begins: 'create',
    chains: [
      `${CREATE} → room pg.query:WITH`,
      `${CREATE} → room livekit CreateRoom`,
      `${CREATE} → room send EVENTS → recording process recording-rooms`,
      `${CREATE} → ${WEBHOOK_DELIVERED}`,
    ],
  },
  {
    title: 'a participant joins',
    begins: 'join',
    chains: [`${API}/room/:roomId/join → gateway rpc.room.room.join.v1 → room rpc.room.room.join.v1 → room pg.query:WITH`],
  },
  {
    title: 'their page opens a session',
    begins: 'session',
    chains: [
      `${API}/classroom/session → gateway rpc.room.classroom.open-session.v1 → room rpc.room.classroom.open-session.v1 → room pg.query:UPDATE`,
    ],
  },
  {
    title: 'LiveKit reports them: presence, and a session in billing',
    begins: { webhook: 'participant_joined' },
    chains: [`${WEBHOOK} → room pg.query:INSERT`, `${WEBHOOK} → room send EVENTS → billing process billing-fold → billing pg.query:INSERT`],
  },
  {
    title: 'a chat message reaches the class',
    begins: 'chat',
    chains: [`${API}/classroom/chat → gateway rpc.room.class.send-chat.v1 → room rpc.room.class.send-chat.v1 → room livekit SendData`],
  },
  {
    title: 'the agent answers a picture aloud, and is paid for',
    begins: 'agent',
    chains: [
      `${API}/ai-agent/chat → gateway s3 PutObject`,
      `${AGENT} → ai s3 GetObject`,
      `${AGENT} → ai chat recorded-chat`,
      `${AGENT} → ai speech recorded-speaker`,
      `${AGENT} → ai pg.query:UPDATE`,
      `${AGENT} → ai send EVENTS → billing process billing-ai-usage → billing pg.query:INSERT`,
      `${AGENT} → ai send EVENTS → billing process billing-ai-usage → billing send EVENTS → ai process ai-credit-status → ai pg.query:INSERT`,
    ],
  },
  {
    title: 'the tutor answers a student',
    begins: 'tutor',
    chains: [
      `${API}/ai-tutor/chat → gateway rpc.ai.tutor.chat.v1 → ai rpc.ai.tutor.chat.v1 → ai rpc.room.room.student-names.v1 → room rpc.room.room.student-names.v1`,
      `${API}/ai-tutor/chat → gateway rpc.ai.tutor.chat.v1 → ai rpc.ai.tutor.chat.v1 → ai chat recorded-chat`,
    ],
  },
  {
    title: 'a recording is started, captured, combined, finished, published, and finally deleted',
    begins: 'record',
    chains: [
      `${CAPTURE} → recorder start chromium → recorder send LIVEKIT → recording process recording-egress → ${ROOM_UPDATED}`,
      `${FINISH} → recorder end chromium`,
      `${FINISH} → recorder cut film → recorder ffmpeg`,
      `${FINISH} → recorder cut film → recorder ffprobe`,
      `${FINISH} → recorder upload recording → recorder s3 PutObject`,
      `${FINISH} → recorder send LIVEKIT → recording process recording-egress → ${ROOM_UPDATED}`,
      `${FINALIZE} → recording s3 HeadObject`,
      `${FINALIZE} → recording pg.query:UPDATE`,
      `${FINALIZE} → ${ROOM_UPDATED}`,
      `${RECORD} ↪ recording rpc.recording.recording.stop.v1 → recording rpc.recorder.capture.stop.v1 → recorder rpc.recorder.capture.stop.v1`,
      // The end of the class determines when its files are deleted.
      `${RECORD} ↪ recording process recording-rooms → recording pg.query:UPDATE`,
      `${RECORD} ↪ recording process retention-deletion → recording s3 DeleteObjects`,
      `${RECORD} ↪ recording process retention-deletion → ${ROOM_UPDATED}`,
    ],
  },
  {
    title: 'a video is uploaded, transcoded, and published',
    begins: 'upload',
    chains: [
      `${UPLOAD} → media s3 UploadPart`,
      `${UPLOAD} → media s3 CompleteMultipartUpload`,
      ...transcodedAfter(`${UPLOAD} → media pg.query:UPDATE`),
    ],
  },
  {
    title: 'a video is played',
    begins: 'play',
    chains: ['gateway GET /v/* → gateway GET → media GET /v/* → media s3 GetObject'],
  },
  {
    title: 'a recording is published as a video',
    begins: 'publish',
    chains: [
      `${PUBLISH} → media rpc.recording.recording.file.v1 → recording rpc.recording.recording.file.v1`,
      ...transcodedAfter(`${PUBLISH} → media s3 CopyObject`),
    ],
  },
  {
    title: 'a class is ended: all participants are disconnected, it is charged, and the school is notified',
    begins: 'end',
    chains: [
      `${END} → room livekit DeleteRoom`,
      `${END} → room send EVENTS → billing process billing-fold → billing pg.query:UPDATE`,
      `${END} → ${WEBHOOK_DELIVERED}`,
      `${END} → ${SETTLED} → billing pg.query:UPDATE`,
    ],
  },
  {
    // The last minute of a class may be charged by a roll-up that was due for another reason.
    title: 'a charge, and the balance that the room service knows',
    begins: { work: 'process credit-rollup' },
    chains: [
      'billing process credit-rollup → billing pg.query:INSERT',
      'billing process credit-rollup → billing send EVENTS → room process room-credit-status → room pg.query:INSERT',
    ],
  },
  {
    title: 'the last participant leaves a class: presence, and a deadline in a queue',
    begins: { webhook: 'participant_left' },
    chains: [
      `${WEBHOOK} → room pg.query:INSERT`,
      `${WEBHOOK} → room evalsha`,
      `${WEBHOOK} → room send EVENTS → billing process billing-fold → billing pg.query:INSERT`,
    ],
  },
  {
    title: 'it ends automatically, and is charged',
    begins: { work: 'process room-sweep' },
    chains: ['room process room-sweep → room livekit DeleteRoom', `room process room-sweep → ${SETTLED} → billing pg.query:UPDATE`],
  },
];

function transcodedAfter(before: string): string[] {
  const work = `${before} ↪ media process transcoding`;
  return [
    `${work} → media download source → media s3 GetObject`,
    `${work} → media probe source → media ffprobe`,
    `${work} → media transcode → media ffmpeg`,
    `${work} → media transcode → media s3 PutObject`,
    `${work} → media pg.query:UPDATE`,
    `${work} → media send EVENTS`,
  ];
}
