import { parentPort, type MessagePort } from 'node:worker_threads';
import type { StatementLanguage } from '@classroom/contracts';
import type { StatementDetails } from './read-statements.js';
import { INSTALLED_FONTS, StatementFonts } from './statement-fonts.js';
import { statementPdf } from './statement-pdf.js';

export interface StatementJob {
  statement: StatementDetails;
  organization: string;
  language: StatementLanguage;
  /** Takes the file, or the error. */
  port: MessagePort;
}

/** The thread in which statements are laid out. */
const fonts = new StatementFonts(INSTALLED_FONTS);
parentPort?.on('message', ({ statement, organization, language, port }: StatementJob) => {
  void statementPdf(statement, organization, language, fonts)
    .catch((error: unknown) => error)
    .then((answer) => {
      port.postMessage(answer);
      port.close();
    });
});
