import { createHash, createHmac } from 'node:crypto';
import type { RunningStack } from './running-stack.js';

export interface BucketAccess {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A stack's bucket, accessed with the S3 API itself (AWS Signature 4) and not with the library that the apps use. */
export class Bucket {
  constructor(private readonly access: BucketAccess) {}

  static of({ urls, secrets }: RunningStack): Bucket {
    const { s3AccessKeyId = '', s3SecretAccessKey = '' } = secrets;
    return new Bucket({
      endpoint: urls.s3,
      region: 'us-east-1',
      bucket: 'classroom',
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey,
    });
  }

  async put(key: string, body: Buffer, contentType = 'application/octet-stream'): Promise<void> {
    await this.call('PUT', key, {}, { body, contentType });
  }

  get(key: string): Promise<Buffer> {
    return this.send('GET', key, {}, { bucket: this.access.bucket });
  }

  /** Creates another bucket of the same storage, with a user of its own. For the root key only. */
  async createSibling(bucket: string, user: { accessKeyId: string; secretAccessKey: string }): Promise<void> {
    const { accessKeyId, secretAccessKey } = user;
    const account = `<Account><Access>${accessKeyId}</Access><Secret>${secretAccessKey}</Secret><Role>user</Role></Account>`;
    await this.call('PATCH', 'create-user', {}, { body: Buffer.from(account), bucket: '' });
    await this.call('PUT', '', {}, { bucket });
  }

  /** Another bucket of the same storage, with the same key. */
  sibling(bucket: string): Bucket {
    return new Bucket({ ...this.access, bucket });
  }

  /** Replaces the bucket's policy by one that allows a user these actions on all objects; without actions, nothing. */
  async allow(user: string, actions: readonly string[]): Promise<void> {
    if (actions.length === 0) return void (await this.call('DELETE', '', { policy: '' }));
    const Resource = [`arn:aws:s3:::${this.access.bucket}/*`];
    const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { AWS: [user] }, Action: actions, Resource }] };
    await this.call('PUT', '', { policy: '' }, { body: Buffer.from(JSON.stringify(policy)) });
  }

  async delete(key: string): Promise<void> {
    await this.call('DELETE', key);
  }

  /** Sizes in bytes by key, of the objects with this prefix; at most a thousand. */
  async list(prefix: string): Promise<Map<string, number>> {
    const xml = await this.call('GET', '', { 'list-type': '2', prefix });
    const objects = elementsOf(xml, 'Contents');
    return new Map(objects.map((one) => [textOf(one, 'Key'), Number(textOf(one, 'Size'))]));
  }

  /** Begins a multipart upload, sends one part, and leaves it open as a killed recorder would. */
  async leaveUpload(key: string, part: Buffer): Promise<void> {
    const uploadId = textOf(await this.call('POST', key, { uploads: '' }), 'UploadId');
    await this.call('PUT', key, { partNumber: '1', uploadId }, { body: part });
  }

  /** Keys with an open upload. */
  async uploads(prefix: string): Promise<string[]> {
    const xml = await this.call('GET', '', { prefix, uploads: '' });
    return elementsOf(xml, 'Upload').map((one) => textOf(one, 'Key'));
  }

  private async call(
    method: string,
    key: string,
    query: Record<string, string> = {},
    { body, contentType, bucket = this.access.bucket }: { body?: Buffer; contentType?: string; bucket?: string } = {},
  ): Promise<string> {
    return (await this.send(method, key, query, { body, contentType, bucket })).toString();
  }

  private async send(
    method: string,
    key: string,
    query: Record<string, string>,
    { body, contentType, bucket }: { body?: Buffer | undefined; contentType?: string | undefined; bucket: string },
  ): Promise<Buffer> {
    const { endpoint } = this.access;
    const path = `/${[bucket, ...key.split('/')].filter(Boolean).map(encode).join('/')}`;
    const search = Object.keys(query)
      .sort()
      .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
      .join('&');
    const answer = await fetch(`${endpoint}${path}${search && `?${search}`}`, {
      method,
      headers: { ...this.sign(method, path, search), ...(contentType ? { 'content-type': contentType } : {}) },
      ...(body ? { body: new Uint8Array(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`the storage answered ${answer.status} to ${method} ${path}: ${bytes}`);
    return bytes;
  }

  private sign(method: string, path: string, search: string): Record<string, string> {
    const { endpoint, region, accessKeyId, secretAccessKey } = this.access;
    const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const signed = { host: new URL(endpoint).host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-date': time };
    const names = Object.keys(signed).join(';');
    const lines = Object.entries(signed)
      .map(([name, value]) => `${name}:${value}\n`)
      .join('');
    const canonical = [method, path, search, lines, names, 'UNSIGNED-PAYLOAD'].join('\n');
    const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
    const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
    const hash = createHash('sha256').update(canonical).digest('hex');
    const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
    return { 'x-amz-content-sha256': signed['x-amz-content-sha256'], 'x-amz-date': time, authorization };
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** RFC 3986 encoding. `encodeURIComponent` leaves five more characters unencoded. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`);

/** @returns the contents of all elements with this tag, none of which contains another */
const elementsOf = (xml: string, tag: string) =>
  xml
    .split(`<${tag}>`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`</${tag}>`)));

function textOf(xml: string, tag: string): string {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';
}
