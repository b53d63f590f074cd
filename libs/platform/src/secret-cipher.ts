import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Secrets at rest. What was sealed for one owner opens for no other, and for no other purpose. Of several secrets the first
 * seals, and what any of them sealed is opened.
 */
export class SecretCipher {
  private readonly key: Buffer;
  private readonly earlier: readonly Buffer[];

  /** @param purpose such as `classroom/organization/webhook-secrets/v1`: a key of its own is derived for each */
  constructor(purpose: string, [secret, ...others]: readonly [string, ...string[]]) {
    const keyOf = (from: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, KEY_BYTES));
    this.key = keyOf(secret);
    this.earlier = others.map(keyOf);
  }

  seal(owner: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** @throws Error where it was sealed under another secret, or for another owner */
  open(owner: string, sealed: string): string {
    for (const key of [this.key, ...this.earlier]) {
      const text = openWith(key, owner, sealed);
      if (text !== undefined) return text;
    }
    throw new Error('a sealed secret that no key opens');
  }

  /** The same under the first secret; undefined where it is so already. @throws as `open` does */
  reseal(owner: string, sealed: string): string | undefined {
    return openWith(this.key, owner, sealed) === undefined ? this.seal(owner, this.open(owner, sealed)) : undefined;
  }
}

/** Undefined where it is not what this key sealed for this owner. @throws for what no version of ours sealed */
function openWith(key: Buffer, owner: string, sealed: string): string | undefined {
  const [version, body] = sealed.split(':', 2);
  if (version !== VERSION || body === undefined) throw new Error('a sealed secret of an unknown version');
  const bytes = Buffer.from(body, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
