import type { BoardUpdate } from '@classroom/contracts';

const TIMEOUT_MS = 10_000;

export interface FilmedUpdate extends BoardUpdate {
  /** Who drew and may be recorded. */
  recordable: string[];
}

/** What the gateway answers to a recording page. Each answer about the board renews the token. */
export class FilmService {
  private readonly pictures = new Map<string, Promise<string>>();

  constructor(private token: string) {}

  /** What changed after a version. @throws Error */
  async board(after: number, signal: AbortSignal): Promise<FilmedUpdate> {
    const { token, ...update } = await this.get<FilmedUpdate & { token: string }>(`/recording/board?after=${after}`, signal);
    this.token = token;
    return update;
  }

  /** The address of a picture in this browser: of a page of a document, from 1. @throws Error */
  picture(documentId: string, page: number): Promise<string> {
    const key = `${documentId} ${page}`;
    const known = this.pictures.get(key);
    if (known) return known;
    const picture = this.load(documentId, page);
    this.pictures.set(key, picture);
    picture.catch(() => this.pictures.delete(key));
    return picture;
  }

  private async load(documentId: string, page: number): Promise<string> {
    const path = `/recording/documents/${encodeURIComponent(documentId)}?after=${page - 1}`;
    const { pages } = await this.get<{ pages: { page: number; url: string }[] }>(path);
    const found = pages.find((one) => one.page === page);
    if (!found) throw new Error('the document has no such page');
    const answer = await pictureAt(found.url);
    return URL.createObjectURL(await answer.blob());
  }

  private async get<T>(path: string, signal?: AbortSignal): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}` };
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(path, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return ((await answer.json()) as { data: T }).data;
  }
}

/** A recorder may not reach the public address, and the gateway may not serve pictures itself. */
async function pictureAt(url: string): Promise<Response> {
  const { origin, pathname, search } = new URL(url, location.href);
  const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const own = await get(pathname + search);
  if (own.ok || origin === location.origin) return requireOk(own);
  return requireOk(await get(url));
}

function requireOk(answer: Response): Response {
  if (!answer.ok) throw new Error(`a picture was answered with ${answer.status}`);
  return answer;
}
