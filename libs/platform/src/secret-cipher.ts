import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** No secret of the installation opens it, or it was sealed for another owner. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

/**
 * Encrypts secrets at rest. A secret that was sealed for one owner and purpose cannot be opened for another. Of several secrets,
 * the first seals; what any of them sealed can be opened.
 */
export class SecretCipher {
  private readonly key: Buffer;
  private readonly earlier: readonly Buffer[];

  /** @param purpose such as `classroom/organization/webhook-secrets/v1`; each purpose has its own derived key */
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

  /** @throws UnreadableSecret */
  open(owner: string, sealed: string): string {
    for (const key of [this.key, ...this.earlier]) {
      const text = openWith(key, owner, sealed);
      if (text !== undefined) return text;
    }
    throw new UnreadableSecret('a sealed secret that no key opens');
  }

  /**
   * Seals it again under the first secret; undefined if it already is.
   * @throws as `open` does
   */
  reseal(owner: string, sealed: string): string | undefined {
    return openWith(this.key, owner, sealed) === undefined ? this.seal(owner, this.open(owner, sealed)) : undefined;
  }
}

/**
 * Undefined if this key did not seal it for this owner.
 * @throws UnreadableSecret if the version is unknown
 */
function openWith(key: Buffer, owner: string, sealed: string): string | undefined {
  const [version, body] = sealed.split(':', 2);
  if (version !== VERSION || body === undefined) throw new UnreadableSecret('a sealed secret of an unknown version');
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
