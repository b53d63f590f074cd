import fs from 'node:fs';
import path from 'node:path';
import { compareVersions, Interrupted, isRoot, parseVersion, reasonsOf, StackError, type Variables } from './context.ts';
import { withLock } from './pidfile.ts';
import type { Progress } from './progress.ts';
import { ask, run } from './run.ts';

/** Folders in which pocketsphinx looks for its English model. */
const MODELS = ['/usr', '/usr/local'].map((prefix) => `${prefix}/share/pocketsphinx/model/en-us`);

/** A font of each Debian package in `PROGRAMS.fonts`. */
const FONTS = ['NotoSansDevanagari-Regular.ttf', 'NotoSansCJK-Regular.ttc', 'NotoColorEmoji.ttf'];

export type ProgramName =
  | 'chromium'
  | 'chromium-headless-shell'
  | 'ffmpeg'
  | 'poppler'
  | 'librsvg'
  | 'espeak-ng'
  | 'pocketsphinx'
  | 'fonts'
  | 'wrk'
  | 'php';
/** The programs that are being obtained. */
export type Obtained = Partial<Record<ProgramName, Promise<Variables>>>;

/** An app, as far as it starts programs. */
export interface UsesPrograms {
  name: string;
  /** Programs that the app starts. If one can't be obtained, the app is not started, and `otherwise` describes the effect. */
  programs?: ProgramName[];
  /** Programs without which the app still runs, with fewer features. */
  wants?: ProgramName[];
  otherwise?: string;
}

interface Program {
  /** In messages, if not its name. */
  title?: string;
  /** Debian packages, if the package is not named like the program. */
  packages?: string[];
  /** What to set in place of an installation, for messages: the variables that name it, as a rule. */
  setting: string;
  /** The effect of a missing program. */
  without: string;
  /** Of the tests, only those of `npm run test:all` need it. */
  isForLongForm?: true;
  /** @returns variables with its paths */
  find: () => Promise<Variables | undefined>;
}

export interface ObtainOptions {
  home: string;
  cache: string;
  progress: Progress;
  signal?: AbortSignal;
}

/** The file that the variable names, or the first of the names on the PATH. */
export function findOnPath(variable: string, names: string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env[variable]) return env[variable];
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

const onPath =
  (variable: string, ...names: string[]) =>
  async () => {
    const file = findOnPath(variable, names);
    return file === undefined ? undefined : { [variable]: file };
  };

/**
 * Programs that depend on too many system files to be unpacked into the cache. They must be installed, or, as root, are installed as Debian
 * packages.
 */
export const PROGRAMS: Record<ProgramName, Program> = {
  chromium: {
    title: 'Chromium',
    setting: 'CHROMIUM_PATH',
    without: 'nothing is recorded',
    find: onPath('CHROMIUM_PATH', 'chromium', 'chromium-browser', 'google-chrome'),
  },
  'chromium-headless-shell': {
    setting: 'CHROMIUM_SHELL_PATH, if need be to Chromium itself',
    without: 'the tests use Chromium itself, which takes twice the processor time',
    find: onPath('CHROMIUM_SHELL_PATH', 'chromium-headless-shell'),
  },
  ffmpeg: {
    setting: 'FFMPEG_PATH',
    without: 'nothing is recorded, no video is stored, and AI takes WAV, PNG, JPEG, WebP and GIF alone',
    find: () => findFfmpeg(),
  },
  poppler: {
    setting: 'PATH so that pdftocairo is found',
    without: 'documents of classes wait',
    packages: ['poppler-utils'],
    find: async () => (findOnPath('', ['pdftocairo']) === undefined ? undefined : {}),
  },
  librsvg: {
    setting: 'PATH so that rsvg-convert is found',
    without: 'boards are exported as JSON and SVG alone',
    packages: ['librsvg2-bin'],
    find: async () => (findOnPath('', ['rsvg-convert']) === undefined ? undefined : {}),
  },
  'espeak-ng': {
    setting: 'ESPEAK_PATH',
    without: 'AI answers in text alone unless a text-to-speech model is configured',
    find: onPath('ESPEAK_PATH', 'espeak-ng'),
  },
  pocketsphinx: {
    setting: 'POCKETSPHINX_PATH',
    without: 'AI takes no questions by voice unless a speech-to-text model is configured',
    packages: ['pocketsphinx', 'pocketsphinx-en-us'],
    find: async () => {
      // Debian's package of the program contains no model.
      const hasModel = process.env.POCKETSPHINX_PATH || MODELS.some((folder) => fs.existsSync(folder));
      return hasModel ? onPath('POCKETSPHINX_PATH', 'pocketsphinx_continuous')() : undefined;
    },
  },
  fonts: {
    title: 'Noto',
    setting: 'it up in /usr/share/fonts',
    without: 'recordings, statements and exported boards show boxes in place of the letters of many scripts',
    packages: ['fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
    find: async () => {
      const folder = '/usr/share/fonts';
      const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
      const files = new Set(names.map((name) => path.basename(name)));
      return FONTS.every((name) => files.has(name)) ? {} : undefined;
    },
  },
  wrk: {
    setting: 'WRK_PATH',
    without: "the gateway's and the videos' benchmarks do not run, nor the step bench of npm run test:all",
    isForLongForm: true,
    find: onPath('WRK_PATH', 'wrk'),
  },
  php: {
    title: 'PHP',
    setting: 'PHP_PATH',
    without: 'npm run test:all fails in the quickstart for PHP',
    isForLongForm: true,
    packages: ['php8.2-cli'],
    find: onPath('PHP_PATH', 'php'),
  },
};

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[];

/**
 * @param where if undefined, nothing is installed
 * @throws {StackError} says what to install
 */
export async function obtainProgram(name: ProgramName, where?: ObtainOptions, program = PROGRAMS[name]): Promise<Variables> {
  const { title = name, setting, find, packages = [name] } = program;
  const byHand = `install it (Debian: apt-get install ${packages.join(' ')}) or set ${setting}`;
  const found = await find();
  if (found) return found;
  if (!where || !(await canInstall())) throw new StackError(`${title} is not installed: ${byHand}.`);
  try {
    await where.progress.step(`get ${name}`, () => installPackages(name, packages, where));
  } catch (error) {
    if (where.signal?.aborted) throw error;
    throw new StackError(`${title} can't be had (${reasonsOf(error).join('; ')}): ${byHand}.`);
  }
  const installed = await find();
  if (!installed) throw new StackError(`${title} was installed and is not on the PATH: ${byHand}.`);
  return installed;
}

/**
 * Decides which apps can run here, and finds the programs that they start. An app without a required program is not started; if it was
 * requested by name, this throws. An app without an optional program still runs.
 */
export async function gatherPrograms(
  apps: readonly UsesPrograms[],
  { obtained, isAskedFor, say }: { obtained: Obtained; isAskedFor: boolean; say: (line: string) => void },
): Promise<{ environment: Variables; running: string[] }> {
  const environment: Variables = {};
  const running: string[] = [];
  for (const { name, programs = [], wants = [], otherwise = `${name} is off` } of apps) {
    const outcomes = await Promise.allSettled([...programs, ...wants].map((program) => obtained[program] ?? obtainProgram(program)));
    const refusals = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason as Error] : []));
    const isOff = outcomes.slice(0, programs.length).some((it) => it.status === 'rejected');
    const fatal = refusals.find((it) => (isAskedFor && isOff) || it instanceof Interrupted);
    if (fatal) throw fatal;
    if (refusals.length > 0) {
      const missing = wants.filter((_, index) => outcomes[programs.length + index]?.status === 'rejected');
      const effects = isOff || programs.length === 0 ? [otherwise] : missing.map((program) => PROGRAMS[program].without);
      say(`${effects.join('; ')}: ${refusals.map((it) => it.message).join(' ')}`);
      if (isOff) continue;
    }
    for (const it of outcomes) if (it.status === 'fulfilled') Object.assign(environment, it.value);
    running.push(name);
  }
  return { environment, running };
}

const OLDEST_FFMPEG = '5.0';

/**
 * FFMPEG_PATH, or the first ffmpeg on the PATH, with the ffprobe in its folder.
 * @returns undefined if there is none
 * @throws {StackError} if it is too old or does not run
 */
export async function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<Variables | undefined> {
  const ffmpeg = findOnPath('FFMPEG_PATH', ['ffmpeg'], env);
  if (!ffmpeg) return undefined;
  const ffprobe = path.join(path.dirname(ffmpeg), 'ffprobe');
  for (const file of [ffmpeg, ffprobe]) {
    const version = versionIn((await ask(file, ['-version'], { env })) ?? '');
    const next = `install ffmpeg ${OLDEST_FFMPEG} or newer, or set FFMPEG_PATH to one`;
    if (!version) throw new StackError(`${file} does not run: ${next}.`);
    if (compareVersions(version, OLDEST_FFMPEG) < 0) throw new StackError(`${file} has version ${version}: ${next}.`);
  }
  return { FFMPEG_PATH: ffmpeg };
}

/** @param text output of `-version`: its first line has the program's version, the next lines have its compiler's */
export function versionIn(text: string) {
  return parseVersion(/ version n?(\d\S*)/.exec(text.split('\n')[0] ?? '')?.[1] ?? '')?.join('.');
}

/** Whether Debian packages can be installed on this machine: as root, with apt-get. */
export async function canInstall() {
  return isRoot() && (await ask('apt-get', ['--version'], {})) !== undefined;
}

/**
 * Installs packages, one program at a time, because dpkg allows only one process.
 * @param name of the program, for messages and the log
 */
export async function installPackages(
  name: string,
  packages: string[],
  { home, cache, signal }: { home: string; cache: string; signal?: AbortSignal },
) {
  await withLock(
    path.join(cache, 'apt.lock'),
    async () => {
      const options = {
        home,
        signal,
        logFile: path.join(home, 'logs', `${name}-apt.log`),
        // Programs are installed for what starts them itself: systemd starts no service of theirs.
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' },
      };
      const apt = (...args: string[]) =>
        run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { ...options, what: `apt-get ${args[0]} ${name}` });
      const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
      try {
        await install();
      } catch (error) {
        if (signal?.aborted) throw error;
        // A bare container has no package lists yet, or outdated ones.
        await apt('update');
        await install();
      }
    },
    signal,
  );
}
