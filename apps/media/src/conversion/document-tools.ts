import { dirname, join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, inProgramSpan } from '@classroom/platform';
import { isolatedCommand, locateProgram, runProgram, type ProcessIsolation, type ResourceLimits } from '@classroom/sandbox';
import type { MediaConfig } from '../config.js';
import { TranscodingTools } from '../transcoding/transcoding-tools.js';
import { rejectDocument, type REJECTIONS } from './rejected-document.js';

export interface Programs {
  pdfinfo: string;
  pdftotext: string;
  pdftocairo: string;
  ffmpeg: string;
  /** Undefined if LibreOffice is not installed. */
  soffice: string | undefined;
  isolation: ProcessIsolation;
}

/** The programs that open documents. They are located once. */
@Injectable()
export class DocumentTools implements OnModuleInit {
  private found: Promise<Programs> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<MediaConfig, 'PATH' | 'SOFFICE_PATH'>,
    private readonly transcodingTools: TranscodingTools,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    this.dependencies.register('poppler', () => this.programs(), { required: false });
  }

  /** @throws if a program is not installed; the next call tries again */
  async programs(): Promise<Programs> {
    this.found ??= this.locate();
    try {
      return await this.found;
    } catch (error) {
      this.found = undefined;
      throw error;
    }
  }

  /** Whether documents can be converted here. */
  isUsable(): Promise<boolean> {
    return this.programs().then(
      () => true,
      () => false,
    );
  }

  private async locate(): Promise<Programs> {
    const { PATH, SOFFICE_PATH } = this.config;
    const pdftocairo = await locateProgram('pdftocairo', PATH);
    const [pdfinfo, pdftotext] = (await Promise.all(
      ['pdfinfo', 'pdftotext'].map((name) => locateProgram(join(dirname(pdftocairo), name), PATH)),
    )) as [string, string];
    const soffice = await locateProgram(SOFFICE_PATH, PATH).catch(() => undefined);
    const { ffmpeg, isolation } = await this.transcodingTools.tools();
    return { pdfinfo, pdftotext, pdftocairo, ffmpeg, soffice, isolation };
  }
}

/** One document at work. */
export interface Opened {
  programs: Programs;
  /** The document, and the working folder of the programs that open it. */
  file: string;
  folder: string;
  signal: AbortSignal;
  /** By performance.now(): when the time for the whole document is over. */
  until: number;
}

export interface ToolRun {
  command: [program: string, ...args: string[]];
  limits: ResourceLimits;
  /** Milliseconds. */
  timeoutMs: number;
  onOutput?: (text: string) => void;
  /** What is wrong with the document if the program fails. */
  otherwise?: keyof typeof REJECTIONS;
}

const MACHINE_FAULT = /No space left on device|Disk quota exceeded|error while loading shared libraries|failed to execute/;
const WRONG_PASSWORD = /Incorrect password/;

/**
 * Runs a program on the document in the sandbox.
 * @throws RejectedSource if the document is at fault, another error if this machine is, or the signal's reason
 */
export async function runTool({ programs, folder, signal, until }: Opened, run: ToolRun): Promise<void> {
  const { command, limits, timeoutMs, onOutput = () => undefined, otherwise = 'unreadable' } = run;
  const end = Math.min(until, performance.now() + timeoutMs);
  const options = { folder, signal, onOutput, isStalled: () => performance.now() > end };
  const ended = await inProgramSpan(command[0], () => runProgram(isolatedCommand(programs.isolation, limits, command), options));
  if (ended.code === 0) return;
  const cause = new Error(`${command[0]} ended with ${ended.exitSignal ?? ended.code}: ${ended.stderrTail}`);
  if (ended.wasStalled || ended.exitSignal !== null) throw rejectDocument('tooComplex', cause);
  if (WRONG_PASSWORD.test(ended.stderrTail)) throw rejectDocument('encrypted', cause);
  throw MACHINE_FAULT.test(ended.stderrTail) ? cause : rejectDocument(otherwise, cause);
}
