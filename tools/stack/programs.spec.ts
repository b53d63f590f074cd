import type { App } from './apps.ts';
import { Interrupted, StackError } from './context.ts';
import { findFfmpeg, gatherPrograms, obtainProgram, PROGRAM_NAMES, PROGRAMS, versionIn } from './programs.ts';

const APPS: Pick<App, 'name' | 'programs' | 'otherwise'>[] = [
  { name: 'gateway' },
  { name: 'recorder', programs: ['chromium', 'ffmpeg'], otherwise: 'recording is off' },
];
const here = { chromium: Promise.resolve({ CHROMIUM_PATH: '/c' }), ffmpeg: Promise.resolve({ FFMPEG_PATH: '/f' }) };
const absent = () => {
  const promise = Promise.reject(new StackError('ffmpeg is not installed: install it.'));
  promise.catch(() => {});
  return promise;
};

describe('programs of the machine', () => {
  let output: string[] = [];
  const say = (line: string) => {
    output.push(line);
  };
  beforeEach(() => {
    output = [];
  });

  test('an app runs if its programs are installed, and gets their paths', async () => {
    expect(await gatherPrograms(APPS, { obtained: here, isAskedFor: false, say })).toEqual({
      running: ['gateway', 'recorder'],
      environment: { CHROMIUM_PATH: '/c', FFMPEG_PATH: '/f' },
    });
    expect(output).toEqual([]);
  });

  test('an app without a required program is not started, the others run, and one line states why', async () => {
    const { running } = await gatherPrograms(APPS, { obtained: { ...here, ffmpeg: absent() }, isAskedFor: false, say });
    expect(running).toEqual(['gateway']);
    expect(output).toEqual(['recording is off: ffmpeg is not installed: install it.']);
  });

  test('an app that was requested by name must run', async () => {
    await expect(gatherPrograms(APPS, { obtained: { ...here, ffmpeg: absent() }, isAskedFor: true, say })).rejects.toThrow(
      'ffmpeg is not installed',
    );
  });

  test('an app runs without an optional program, and states the effect', async () => {
    const ai: Pick<App, 'name' | 'wants' | 'otherwise'> = { name: 'ai', wants: ['ffmpeg'], otherwise: 'AI answers in text alone' };
    expect(await gatherPrograms([ai], { obtained: { ffmpeg: absent() }, isAskedFor: true, say })).toMatchObject({ running: ['ai'] });
    expect(output).toEqual(['AI answers in text alone: ffmpeg is not installed: install it.']);
  });

  test('an app with its required programs runs without an optional one, and states the effect', async () => {
    const recorder: Pick<App, 'name' | 'programs' | 'wants' | 'otherwise'> = { name: 'recorder', programs: ['chromium'], wants: ['fonts'] };
    expect(await gatherPrograms([recorder], { obtained: { ...here, fonts: absent() }, isAskedFor: true, say })).toMatchObject({
      running: ['recorder'],
    });
    expect(output).toEqual([expect.stringMatching(/^recordings, statements and exported boards show boxes .*: ffmpeg is not installed/)]);
  });

  test('an aborted start is not a missing program', async () => {
    const interrupted = Promise.reject(new Interrupted());
    await expect(gatherPrograms(APPS, { obtained: { ...here, ffmpeg: interrupted }, isAskedFor: false, say })).rejects.toThrow(Interrupted);
    expect(output).toEqual([]);
  });

  test.each(PROGRAM_NAMES)('%s: the refusal states what to do, in one line', async (name) => {
    const {
      PATH,
      CHROMIUM_PATH = '',
      CHROMIUM_SHELL_PATH = '',
      FFMPEG_PATH = '',
      ESPEAK_PATH = '',
      POCKETSPHINX_PATH = '',
      WRK_PATH = '',
      PHP_PATH = '',
    } = process.env;
    try {
      Object.assign(process.env, {
        PATH: '/nonexistent',
        CHROMIUM_PATH: '',
        CHROMIUM_SHELL_PATH: '',
        FFMPEG_PATH: '',
        ESPEAK_PATH: '',
        POCKETSPHINX_PATH: '',
        WRK_PATH: '',
        PHP_PATH: '',
      });
      // Fonts are in one folder, whatever the PATH is.
      const program = name === 'fonts' ? { ...PROGRAMS.fonts, find: async () => undefined } : PROGRAMS[name];
      await expect(obtainProgram(name, undefined, program)).rejects.toThrow(
        /^[\w-]+ is not installed: install it \(Debian: apt-get install [\w. -]+\) or set .*\.$/,
      );
    } finally {
      Object.assign(process.env, {
        PATH,
        CHROMIUM_PATH,
        CHROMIUM_SHELL_PATH,
        FFMPEG_PATH,
        ESPEAK_PATH,
        POCKETSPHINX_PATH,
        WRK_PATH,
        PHP_PATH,
      });
    }
  });
});

describe('ffmpeg', () => {
  test.each([
    ['ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers\nbuilt with gcc 12 (Debian 12.2.0)', '5.1.6'],
    ['ffprobe version n7.0.2 Copyright (c) 2007-2024', '7.0.2'],
    ['ffmpeg version 4.4 Copyright\nbuilt with gcc 12.2.0', '4.4'],
    ['ffmpeg version N-109468-gd39b34123d Copyright\nbuilt with gcc 12.2.0', undefined],
    ['', undefined],
  ])('%j', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });

  test('one that does not run is refused, not skipped', async () => {
    await expect(findFfmpeg({ PATH: '', FFMPEG_PATH: '/nonexistent/ffmpeg' })).rejects.toThrow(
      /does not run: install ffmpeg 5\.0 or newer/,
    );
  });
});
