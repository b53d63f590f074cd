import { Injectable } from '@nestjs/common';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { InBackground, observedGauge } from '@classroom/platform';
import { DocumentsRepository } from '../documents/documents.repository.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { ConvertDocument } from './convert-document.js';
import { DocumentTools } from './document-tools.js';

const NAME = 'document-conversion';
/** Documents that one process converts at the same time, next to its videos. */
const PARALLEL = 2;

/** Rows hold which documents are due. They take seconds, so they are not put into a queue. */
@Injectable()
export class DueDocuments {
  @InBackground() private readonly work: DueWork<DocumentEntity>;

  constructor(dueWorks: DueWorks, documents: DocumentsRepository, tools: DocumentTools, convertDocument: ConvertDocument) {
    this.work = dueWorks.declare<DocumentEntity>({
      name: NAME,
      isByWallTime: true,
      keyOf: ({ documentId }) => documentId,
      claim: async (now, limit) => {
        if (!(await tools.isUsable())) return [];
        return documents.claim(now, new Date(now.getTime() + convertDocument.leaseMs), limit);
      },
      run: (document, signal) => convertDocument.execute(document, signal),
      parallel: PARALLEL,
      dueSince: async () => (await documents.backlog())?.dueAt,
    });
    observedGauge('classroom_job_backlog', 'Jobs that wait or are at work, by queue', async () => [
      { value: (await documents.backlog())?.count ?? 0, attributes: { queue: NAME } },
    ]);
  }
}
