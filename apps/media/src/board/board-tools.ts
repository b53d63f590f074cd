import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG, Dependencies } from '@classroom/platform';
import { locateProgram } from '@classroom/sandbox';
import type { MediaConfig } from '../config.js';
import { DocumentTools, type Programs } from '../conversion/document-tools.js';

export interface BoardPrograms extends Programs {
  rsvgConvert: string;
}

/** The programs that make files of boards. They are located once. */
@Injectable()
export class BoardTools implements OnModuleInit {
  private found: Promise<BoardPrograms> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<MediaConfig, 'PATH'>,
    private readonly documentTools: DocumentTools,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    this.dependencies.register('librsvg', () => this.programs(), { required: false });
  }

  /** @throws AppError SERVICE_UNAVAILABLE if a program is not installed; the next call tries again */
  async programs(): Promise<BoardPrograms> {
    this.found ??= this.locate();
    try {
      return await this.found;
    } catch (cause) {
      this.found = undefined;
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'Boards can’t be made files here at the moment', cause });
    }
  }

  private async locate(): Promise<BoardPrograms> {
    const programs = await this.documentTools.programs();
    const rsvgConvert = await locateProgram('rsvg-convert', this.config.PATH);
    return { ...programs, rsvgConvert };
  }
}
