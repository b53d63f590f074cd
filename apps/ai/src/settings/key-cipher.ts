import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Organizations' keys at rest. What was sealed for one organization opens for no other. Of several secrets the first seals, and
 * what any of them sealed is opened.
 */
export class KeyCipher {
  private readonly key: Buffer;
  private readonly earlier: readonly Buffer[];

  constructor([secret, ...others]: readonly [string, ...string[]]) {
    this.key = keyOf(secret);
    this.earlier = others.map(keyOf);
  }

  seal(organizationId: string, apiKey: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(organizationId));
    const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** @throws Error where it was sealed under another secret, or for another organization */
  open(organizationId: string, sealed: string): string {
    for (const key of [this.key, ...this.earlier]) {
      const apiKey = openWith(key, organizationId, sealed);
      if (apiKey !== undefined) return apiKey;
    }
    throw new Error('a sealed key that no secret opens');
  }

  /** The same under the first secret; undefined where it is so already. @throws as `open` does */
  reseal(organizationId: string, sealed: string): string | undefined {
    return openWith(this.key, organizationId, sealed) === undefined ? this.seal(organizationId, this.open(organizationId, sealed)) : undefined;
  }
}

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'classroom/ai/api-keys/v1', KEY_BYTES));

/** Undefined where it is not what this key sealed for this organization. @throws for what no version of ours sealed */
function openWith(key: Buffer, organizationId: string, sealed: string): string | undefined {
  const [version, body] = sealed.split(':', 2);
  if (version !== VERSION || body === undefined) throw new Error('a sealed key of an unknown version');
  const bytes = Buffer.from(body, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(organizationId)).setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
