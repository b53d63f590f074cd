import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordedRoom, type RunningStack } from '@classroom/testing';
import { isHealthy, School } from '../system/school.js';
import { ComposeProject } from './project.js';

const OUTPUT = join(__dirname, '..', '..', '.stack', 'compose');
const { COMPOSE_HOST: HOST = '', COMPOSE_ADDRESS: ADDRESS = '' } = process.env;

/** docker-compose.yml for other machines, with its own proxy, whose certificates no client here knows. */
describe('the Compose file with TLS', () => {
  let project: ComposeProject;
  let stack: RunningStack;
  let school: School;
  let room: RecordedRoom;

  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true });
    project = await ComposeProject.create('--host', HOST, '--address', ADDRESS, '--issuer', 'internal');
    await project.up();
    stack = await project.stack();
    await isHealthy(stack);
    school = await School.open(stack);
  });
  afterEach(() => project?.keepLogs(join(OUTPUT, 'services-tls.log')));
  afterAll(async () => {
    await school?.close();
    await project?.remove();
  });

  it('holds a class that a student on another machine watches', async () => {
    room = await school.openClass();
    await school.watchClass(room, join(OUTPUT, 'class-tls.png'));
  });

  it('records the class, and gives out the film through the proxy', async () => {
    await school.film(room);
    await school.endClass(room);
    await school.downloadFilm(room);
  });

  it('stores a video and makes it playable', () => school.publishVideo());

  it('opens nothing that is for services alone', async () => {
    const statusOf = async (address: string) => (await fetch(address, { method: 'POST' })).status;
    for (const path of [
      '/livekit/webhook',
      '/v1/admin',
      '/v1/admin/organizations',
      '/recording',
      '/docs/operators',
      '/openapi.internal.json',
    ])
      expect([path, await statusOf(`${stack.urls.gateway}${path}`)]).toEqual([path, 404]);
    expect(await statusOf(`https://livekit.${HOST}/twirp/livekit.RoomService/ListRooms`)).toBe(404);
    expect(await statusOf(`https://files.${HOST}/classroom/videos/`)).toBe(404);
    expect((await fetch(`${stack.urls.gateway}/v1/health/status`)).headers.get('strict-transport-security')).toBe('max-age=31536000');
    for (const port of [8080, 7070, 7880]) await expect(fetch(`http://${ADDRESS}:${port}/`)).rejects.toThrow('fetch failed');
  });
});
