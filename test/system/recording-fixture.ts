import { join } from 'node:path';
import {
  type ApiClient,
  newOrganization,
  RecordedRoom,
  RtcParticipant,
  SimulatedEgress,
  type SimulatedEngine,
  SimulatedLiveKit,
  SimulatedRecorder,
  TestStack,
} from '@classroom/testing';

export const SERVICES = ['organization', 'room', 'gateway', 'billing', 'recording'];

type EngineKind = 'egress' | 'embedded';

/** A participant who is connected to LiveKit, the real or the simulated one. */
interface Connected {
  publish(source: 'MICROPHONE' | 'CAMERA'): Promise<unknown>;
}

/** Everything that recording needs, with simulated LiveKit Egress and recorder. */
export interface RecordingFixture {
  stack: TestStack;
  recorder: SimulatedRecorder;
  egress: SimulatedEgress;
  livekit: SimulatedLiveKit;
  api: ApiClient;
  enter(room: { token: string }): Promise<Connected>;
  open(overrides?: object): Promise<RecordedRoom>;
  /** Restarts the recording service with this engine. */
  use(kind: EngineKind): Promise<SimulatedEngine>;
  environmentOf(kind: EngineKind): Record<string, string>;
  stop(): Promise<void>;
}

/** Starts on a real LiveKit, or on the simulated one, which is faster. The first engine is the embedded one. */
export async function startRecordingFixture(isReal = false): Promise<RecordingFixture> {
  const { gatewayPort, portBase } = await pickPorts();
  const egress = await SimulatedEgress.listen();
  const livekit = new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${gatewayPort}/livekit/webhook`] });
  const environmentOf = (kind: EngineKind): Record<string, string> => ({
    RECORDING_ENGINE: kind,
    ...(kind === 'egress' ? { LIVEKIT_URL: egress.url } : {}),
  });
  let recorder: SimulatedRecorder | undefined;
  let stack: TestStack | undefined;
  const stop = async () => {
    await recorder?.close();
    await egress.close();
    await livekit.stop();
    await stack?.stop();
  };
  try {
    stack = await TestStack.start({ gatewayPort, portBase, apps: SERVICES, ...(isReal ? {} : await elsewhere(livekit)) });
    egress.attach(stack);
    recorder = await SimulatedRecorder.connect(stack);
    const { api } = await newOrganization(stack);
    const [running, embedded] = [stack, recorder];
    const enter = async ({ token }: { token: string }): Promise<Connected> => {
      if (!isReal) {
        const { sid } = await livekit.connect(token);
        const type = { MICROPHONE: 'AUDIO', CAMERA: 'VIDEO' } as const;
        return { publish: (source) => livekit.publish(sid, { name: source.toLowerCase(), type: type[source], source }) };
      }
      const person = await RtcParticipant.connect(running.urls.livekitPublic, token);
      return { publish: (source) => (source === 'CAMERA' ? person.publishPicture() : person.publishTone()) };
    };
    return {
      stack,
      recorder,
      egress,
      livekit,
      api,
      enter,
      open: (overrides) => RecordedRoom.open(running, api, enter, overrides),
      async use(kind) {
        await running.app('recording').restart(environmentOf(kind));
        return kind === 'egress' ? egress : embedded;
      },
      environmentOf,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function elsewhere(livekit: SimulatedLiveKit) {
  const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await livekit.start();
  return { livekit: false as const, livekitUrl, livekitApiKey, livekitApiSecret };
}

function pickPorts(): Promise<{ gatewayPort: number; portBase: number }> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const launcher = require(join(__dirname, '..', '..', 'tools', 'stack')) as {
    pickPorts(): Promise<{ gatewayPort: number; portBase: number }>;
  };
  return launcher.pickPorts();
}
