import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import type { ClassroomApi } from '../session/session.js';
import { Store } from '../store.js';
import { MAX_BYTES, titleOf, typeOf } from './file-types.js';
import { Refused, sendFile } from './send-file.js';

export type ClassDocument = Awaited<ReturnType<ClassroomApi['listDocumentsInClass']>>['documents'][number];

/** Why a file did not become a document. `refused`: the service takes no more of it. */
export type FileProblem = 'empty' | 'tooLarge' | 'unknownType' | 'refused' | ApiErrorCode;

/** A file of the participant that is not a document yet. */
export interface SentFile {
  key: number;
  title: string;
  documentId: string | undefined;
  /** `waiting`: the connection is lost, and the upload continues by itself. */
  step: 'sending' | 'waiting' | 'converting' | 'failed';
  /** 0 to 1. */
  share: number;
  problem: FileProblem | undefined;
}

interface State {
  /** Undefined until they are known. */
  documents: readonly ClassDocument[] | undefined;
  files: readonly SentFile[];
}

interface Parts {
  api: Pick<ClassroomApi, 'createDocumentInClass' | 'listDocumentsInClass' | 'deleteDocumentInClass'>;
  send?: typeof sendFile;
}

const [MIN_POLL_MS, MAX_POLL_MS] = [700, 5_000];

export const isUnfinished = ({ status }: Pick<ClassDocument, 'status'>): boolean => status === 'pending' || status === 'processing';

/** The documents of the class, and the files that become documents. */
export class ClassDocuments extends Store<State> {
  private readonly running = new Map<number, AbortController>();
  private keys = 0;

  constructor(private readonly parts: Parts) {
    super({ documents: undefined, files: [] });
  }

  /** @throws ApiError */
  async refresh(): Promise<void> {
    this.set({ documents: (await this.parts.api.listDocumentsInClass()).documents });
  }

  /** Uploads a file. @returns the document once it can be shown; undefined if it failed or was cancelled, which the state tells */
  async add(file: File): Promise<ClassDocument | undefined> {
    const key = (this.keys += 1);
    const running = new AbortController();
    this.running.set(key, running);
    const first = { key, title: titleOf(file), documentId: undefined, step: 'sending', share: 0, problem: undefined } as const;
    this.set({ files: [...this.get().files, first] });
    try {
      const documentId = await this.upload(key, file, running.signal);
      this.change(key, { step: 'converting', share: 1 });
      const document = await this.converted(documentId, running.signal);
      // The list has it, with the reason of a failure.
      this.forget(key);
      return document?.status === 'completed' ? document : undefined;
    } catch (error) {
      if (!running.signal.aborted) this.fail(key, error);
      return undefined;
    } finally {
      this.running.delete(key);
    }
  }

  /** Ends an upload, or removes a file that failed from the list. */
  cancel(key: number): void {
    this.running.get(key)?.abort();
    const documentId = this.get().files.find((file) => file.key === key)?.documentId;
    this.forget(key);
    if (documentId !== undefined) this.discard(documentId);
  }

  /** Another person may have deleted it meanwhile. @throws ApiError */
  async delete(documentId: string): Promise<void> {
    await this.parts.api.deleteDocumentInClass({ documentId }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'DOCUMENT_NOT_FOUND')) throw error;
    });
    this.set({ documents: this.get().documents?.filter((document) => document.documentId !== documentId) });
  }

  /** The stay ends. */
  stop(): void {
    for (const { key } of this.get().files) this.cancel(key);
    this.set({ documents: undefined });
  }

  private async upload(key: number, file: File, signal: AbortSignal): Promise<string> {
    const contentType = typeOf(file);
    if (!contentType) throw new UnfitFile('unknownType');
    if (file.size === 0) throw new UnfitFile('empty');
    if (file.size > MAX_BYTES) throw new UnfitFile('tooLarge');
    const about = { title: titleOf(file), fileName: [...file.name].slice(-256).join(''), size: file.size, contentType };
    const { documentId, upload } = await this.parts.api.createDocumentInClass(about);
    if (signal.aborted) this.discard(documentId);
    signal.throwIfAborted();
    this.change(key, { documentId });
    await (this.parts.send ?? sendFile)(upload?.url ?? '', file, {
      signal,
      onSent: (bytes) => this.change(key, { share: bytes / file.size }),
      onWaiting: (isWaiting) => this.change(key, { step: isWaiting ? 'waiting' : 'sending' }),
    });
    return documentId;
  }

  /** @returns the document when its conversion has ended; undefined if it was deleted */
  private async converted(documentId: string, signal: AbortSignal): Promise<ClassDocument | undefined> {
    for (let ms = MIN_POLL_MS; ; ms = Math.min(ms * 1.5, MAX_POLL_MS)) {
      // What was not answered is asked again.
      const isAnswered = await this.refresh().then(
        () => true,
        () => false,
      );
      signal.throwIfAborted();
      const document = this.get().documents?.find((one) => one.documentId === documentId);
      if (isAnswered && (!document || !isUnfinished(document))) return document;
      await new Promise((resolve) => setTimeout(resolve, ms));
      signal.throwIfAborted();
    }
  }

  private fail(key: number, error: unknown): void {
    const documentId = this.get().files.find((file) => file.key === key)?.documentId;
    if (documentId !== undefined) this.discard(documentId);
    this.change(key, { step: 'failed', documentId: undefined, problem: problemOf(error) });
  }

  /** An unfinished upload that stays is deleted by the service, later. */
  private discard(documentId: string): void {
    this.delete(documentId).catch(() => undefined);
  }

  private change(key: number, change: Partial<SentFile>): void {
    this.set({ files: this.get().files.map((file) => (file.key === key ? { ...file, ...change } : file)) });
  }

  private forget(key: number): void {
    this.set({ files: this.get().files.filter((file) => file.key !== key) });
  }
}

class UnfitFile extends Error {
  constructor(readonly problem: FileProblem) {
    super(problem);
  }
}

function problemOf(error: unknown): FileProblem {
  if (error instanceof UnfitFile) return error.problem;
  if (error instanceof ApiError) return error.code;
  return error instanceof Refused && error.status === 507 ? 'QUOTA_EXCEEDED' : 'refused';
}

const CONVERSIONS = [
  [/password/, 'encrypted'],
  [/no pages/, 'noPages'],
  [/too many pages/, 'tooManyPages'],
  [/page of the file is too large/, 'pageTooLarge'],
  [/too much time or memory/, 'tooComplex'],
  [/export the presentation/, 'office'],
  [/be read/, 'unreadable'],
] as const;

/** What the service says of a failed conversion, as a text of the page. Undefined if the page has none: then its own words are shown. */
export const conversionProblemOf = (message: string | null) => CONVERSIONS.find(([words]) => words.test(message ?? ''))?.[1];
