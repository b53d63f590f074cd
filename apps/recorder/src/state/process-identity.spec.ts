import { isAlive, currentProcess, usesFolder } from './process-identity.js';

const folder = '/var/lib/recorder/EG_abcdefgh';

test.each([
  ['the browser of the capture', ['/usr/bin/chromium', `--user-data-dir=${folder}/browser`], true],
  ['the ffmpeg of the capture', ['/usr/bin/ffmpeg', '-i', `${folder}/capture.mkv`], true],
  ['the browser of another capture', ['/usr/bin/chromium', `--user-data-dir=${folder}X/browser`], false],
  ['a program that reads a file in the folder', ['tail', '-f', `${folder}/capture.mkv`], false],
  ['an ffmpeg elsewhere', ['ffmpeg', '-i', '/home/me/capture.mkv'], false],
  ['nothing', [], false],
])('%s', (_, command, isOurs) => {
  expect(usesFolder(folder, command)).toBe(isOurs);
});

test('a process is distinguished from a later one with the same id', async () => {
  expect(await isAlive(currentProcess())).toBe(true);
  expect(await isAlive({ ...currentProcess(), startedAt: '1' })).toBe(false);
});
