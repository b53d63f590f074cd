import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressEngine } from '../src/control/egress-engine.js';
import type { RecordingConfig } from '../src/config.js';

describe('LiveKit Egress', () => {
  let server: Server;
  let answer = { status: 200, body: '{}' };
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const engine = () =>
    new EgressEngine({
      LIVEKIT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret-of-at-least-thirty-two-bytes',
    } as RecordingConfig);
  const stopAnswered = (status: number, code: string) => {
    answer = { status, body: JSON.stringify({ code, msg: code }) };
    return engine().stop('EG_1');
  };

  it('is stopped if the egress has ended or is already ending', async () => {
    await expect(stopAnswered(404, 'not_found')).resolves.toBeUndefined();
    await expect(stopAnswered(412, 'failed_precondition')).resolves.toBeUndefined();
  });

  it('is not stopped if LiveKit refuses for another reason', async () => {
    await expect(stopAnswered(500, 'internal')).rejects.toMatchObject({ code: 'RECORDER_BUSY' });
  });

  it('is not stopped if LiveKit cannot be reached', async () => {
    const unreachable = new EgressEngine({
      LIVEKIT_URL: 'http://127.0.0.1:1',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret-of-at-least-thirty-two-bytes',
    } as RecordingConfig);
    await expect(unreachable.stop('EG_1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
