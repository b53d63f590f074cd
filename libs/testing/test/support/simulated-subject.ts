import { JoinRefused, type LiveKitSubject } from '../../src/livekit/conformance.js';
import { SimulatedLiveKit, SimulatedLiveKitError } from '../../src/livekit/simulated-livekit.js';

export async function simulatedSubject(webhookUrl: string): Promise<LiveKitSubject> {
  const livekit = await new SimulatedLiveKit({ webhookUrls: [webhookUrl] }).start();
  const { url, apiKey, apiSecret } = livekit;
  return {
    url,
    apiKey,
    apiSecret,
    async connect(token) {
      const { sid } = await livekit.connect(token).catch((error: unknown) => {
        throw error instanceof SimulatedLiveKitError ? new JoinRefused(error.status, error.message) : error;
      });
      return {
        sid,
        publishMicrophone: async () => (await livekit.publish(sid, { name: 'microphone', type: 'AUDIO', source: 'MICROPHONE' })).sid,
        packets: async () => (await livekit.packets(sid)).map(({ topic, data }) => `${topic}: ${Buffer.from(data, 'base64').toString()}`),
        leave: () => livekit.leave(sid),
      };
    },
    async connectAndCrash(token, joined) {
      const { sid } = await livekit.connect(token);
      await joined(sid);
      await livekit.crash(sid);
      return sid;
    },
    async connectSignalOnly(token) {
      const { sid } = await livekit.connect({ token, activeAfterMs: null });
      return { leave: () => livekit.leave(sid) };
    },
    loseNode: () => livekit.loseNode(),
    stop: () => livekit.stop(),
  };
}
