import { CopyRecording } from './copy-recording.js';

it('gives back the claim of a job that is taken while the process shuts down', async () => {
  const released: unknown[][] = [];
  const copies = { release: async (...given: unknown[]) => void released.push(given) };
  const unused = undefined as never;
  const copyRecording = new CopyRecording(copies as never, unused, unused, unused, unused, unused, unused);
  await copyRecording.execute('key-1', AbortSignal.abort());
  expect(released).toEqual([['key-1', null]]);
});
