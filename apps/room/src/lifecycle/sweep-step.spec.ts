import { AppError } from '@classroom/contracts';
import { SweepStep } from './sweep-step.js';

it('a dependency that is unreachable for some rooms alone holds the others up for one run at most', async () => {
  const step = new SweepStep('finish due room');
  const rooms = ['a', 'b', 'c', 'd', 'e', 'f'];
  const done: string[] = [];
  const run = () =>
    step.run(
      rooms.filter((sid) => !done.includes(sid)),
      async (sid) => {
        if ('abcd'.includes(sid)) throw new AppError('SERVICE_UNAVAILABLE');
        done.push(sid);
      },
    );
  await run();
  expect(done).toEqual([]);
  await run();
  expect(done).toEqual(['e', 'f']);
});

it('a room that fails does not hold the others up', async () => {
  const done: string[] = [];
  const log = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await new SweepStep('finish due room').run([{ sid: 'a' }, { sid: 'b' }], async ({ sid }) => {
    if (sid === 'a') throw new Error('broken');
    done.push(sid);
  });
  log.mockRestore();
  expect(done).toEqual(['b']);
});
