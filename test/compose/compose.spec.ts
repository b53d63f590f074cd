import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expectMoneyInvariants, type RecordedRoom, type RunningStack } from '@classroom/testing';
import { isHealthy, RESTART_MS, School } from '../system/school.js';
import { ComposeProject } from './project.js';

/** Screenshots and logs, to look at. */
const OUTPUT = join(__dirname, '..', '..', '.stack', 'compose');

/** docker-compose.yml as docs/guides/compose.md says, with images built here, in an engine of its own. */
describe('the Compose file', () => {
  let project: ComposeProject;
  let stack: RunningStack;
  let school: School;
  let room: RecordedRoom;

  beforeAll(async () => {
    mkdirSync(OUTPUT, { recursive: true });
    project = await ComposeProject.create();
    await project.up();
    stack = await project.stack();
    school = await School.open(stack);
  });
  afterEach(() => project?.keepLogs(join(OUTPUT, 'services.log')));
  afterAll(async () => {
    await school?.close();
    await project?.remove();
  });

  it('starts everything, and is healthy', async () => {
    const states = (await project.containers()).map(({ Service, State, ExitCode }) => [Service, State, ExitCode]);
    const isOnce = (name: string) => name === 'streams' || name.startsWith('migrate-');
    expect(states.sort()).toEqual((await project.services()).map((name) => [name, isOnce(name) ? 'exited' : 'running', 0]));
    await isHealthy(stack);
  });

  it('holds a class that a student watches in a browser', async () => {
    room = await school.openClass();
    await school.watchClass(room, join(OUTPUT, 'class.png'));
  });

  it('records the class', () => school.film(room));

  it('stores a video and makes it playable', () => school.publishVideo());

  it('gives out the film and charges the class when it has ended', async () => {
    await school.endClass(room);
    await school.downloadFilm(room);
    await expectMoneyInvariants(stack);
  });

  it('records again after LiveKit has crashed, which takes no network from the recorder', async () => {
    await project.crash('livekit');
    await isHealthy(stack);
    const other = await eventually(() => school.openClass(), RESTART_MS);
    await school.film(other);
    await school.endClass(other);
    await school.downloadFilm(other);
  });

  it('is healthy again after each container has restarted, and holds a class', async () => {
    const running = (await project.containers()).filter(({ State }) => State === 'running');
    for (const { Service } of running) {
      await project.compose('restart', Service);
      await isHealthy(stack);
    }
    const other = await school.openClass();
    await school.watchClass(other);
    await school.endClass(other);
    await expectMoneyInvariants(stack);
  });

  it('keeps its data when it is taken down and started again, and leaves nothing when that is asked for', async () => {
    const rooms = async () => (await school.api.get('/v1/rooms')).body.data;
    const before = await rooms();
    await project.down();
    expect(await project.containers()).toEqual([]);
    await project.up();
    expect(await rooms()).toEqual(before);
    await project.down('--volumes');
    expect(await project.docker('volume', 'ls', '--quiet', '--filter', 'label=com.docker.compose.project=classroom-check')).toBe('');
  });
});
