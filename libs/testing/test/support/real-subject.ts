import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { AudioSource, dispose, LocalAudioTrack, Room, RoomEvent, TrackPublishOptions, TrackSource } from '@livekit/rtc-node';
import { JoinRefused, type LiveKitSubject } from '../../src/livekit/conformance.js';

/** The part of tools/stack that is used here; no package can import it. */
interface Stack {
  urls: { livekit: string; livekitPublic: string };
  secrets: { livekitApiKey: string; livekitApiSecret: string };
  parts: { livekit: { kill(): Promise<unknown>; start(): Promise<void> } };
  stop(options: { wipe: boolean }): Promise<void>;
}
interface StackTools {
  startParts(options: object): Promise<Stack>;
  pickPorts(): Promise<{ portBase: number; gatewayPort: number }>;
}

/** Includes the event that our own stack leaves out. */
const EVENTS = [
  'room_started',
  'room_finished',
  'participant_joined',
  'participant_left',
  'participant_connection_aborted',
  'track_published',
];

const roomOptions = { autoSubscribe: false, dynacast: false };

/** The real server with its Redis, and participants through rtc-node. */
export async function realSubject(webhookUrl: string): Promise<LiveKitSubject> {
  const { startParts, pickPorts } = require('../../../../tools/stack') as StackTools;
  const stack = await startParts({
    ...(await pickPorts()),
    home: await mkdtemp(join(tmpdir(), 'livekit-conformance-')),
    parts: ['redis', 'livekit'],
    external: false,
    livekit: { webhookUrls: [webhookUrl], events: EVENTS },
  });
  const { livekit: url, livekitPublic: mediaUrl } = stack.urls;
  return {
    url,
    apiKey: stack.secrets.livekitApiKey,
    apiSecret: stack.secrets.livekitApiSecret,

    async connect(token) {
      const room = new Room();
      const packets: string[] = [];
      room.on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
        if (!participant) packets.push(`${topic}: ${Buffer.from(payload).toString()}`);
      });
      await room.connect(mediaUrl, token, roomOptions).catch((error: unknown) => {
        throw toRefusal(error);
      });
      return {
        sid: room.localParticipant?.sid ?? '',
        publishMicrophone: () => publishMicrophone(room),
        packets: async () => packets,
        leave: () => room.disconnect(),
      };
    },

    // In a separate process, because a connection in this process cannot be made to die without a disconnect.
    async connectAndCrash(token, joined) {
      const child = spawn(process.execPath, [join(__dirname, 'join-and-stay.cjs'), mediaUrl, token], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const sid = await firstSid(child.stdout);
      await joined(sid);
      child.kill('SIGKILL');
      await once(child, 'exit');
      return sid;
    },

    async connectSignalOnly(token) {
      const query = new URLSearchParams({ access_token: token, protocol: '15', sdk: 'js', version: '2.0.0' });
      const socket = new WebSocket(`${mediaUrl}/rtc?${query.toString()}`);
      await once(socket as never, 'message');
      return { leave: async () => socket.close() };
    },

    async loseNode() {
      await stack.parts.livekit.kill();
      await stack.parts.livekit.start();
    },

    async stop() {
      await dispose();
      await stack.stop({ wipe: true });
    },
  };
}

async function publishMicrophone(room: Room): Promise<string> {
  const track = LocalAudioTrack.createAudioTrack('microphone', new AudioSource(48_000, 1));
  const publication = await room.localParticipant?.publishTrack(track, new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }));
  return publication?.sid ?? '';
}

/** rtc-node also logs to stdout, in any order. */
async function firstSid(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) if (line.startsWith('PA_')) return line;
  throw new Error('the process that was to crash ended before it had joined');
}

/** rtc-node reports the signal endpoint's status only in its message: "…client error: 404 Not Found…". */
function toRefusal(error: unknown): unknown {
  const status = /\b([45]\d\d) [A-Z]/.exec(String(error))?.[1];
  return status === undefined ? error : new JoinRefused(Number(status), String(error));
}
