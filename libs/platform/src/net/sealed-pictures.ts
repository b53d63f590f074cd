import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'classroom/pictures/v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the organization's hash: enough to count its downloads separately. */
const OWNER_BYTES = 8;
const BASE64URL = /^[\w-]+$/;

/** Path below which the gateway serves pictures from other hosts. */
export const PICTURES = '/pictures/';

/** What a sealed path contains. */
export interface SealedPicture {
  /** Hash of the organization that named the address. */
  owner: string;
  address: string;
}

interface Keys {
  encryption: Buffer;
  nonce: Buffer;
}

const derived = new Map<string, Keys>();

/** The keys of one secret. A process has few secrets, and derives from each only once. */
function keysOf(secret: string): Keys {
  const known = derived.get(secret);
  if (known) return known;
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 2 * KEY_BYTES));
  const keys = { encryption: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
  derived.set(secret, keys);
  return keys;
}

/**
 * The path at which the gateway serves the picture at `address`. Without the secret it can't be made, and reveals neither the address nor the
 * organization. It is always the same for the same address and organization, so that browsers can cache the picture.
 * @param secret LiveKit's API secret, which gateway, room and recording share
 */
export function sealPicture(secret: string, organizationId: string, address: string): string {
  const { encryption, nonce: nonceKey } = keysOf(secret);
  const owner = createHash('sha256').update(organizationId).digest().subarray(0, OWNER_BYTES);
  const text = Buffer.concat([owner, Buffer.from(address)]);
  // Derived from the text, a nonce occurs twice only for the same text.
  const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, encryption, nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return PICTURES + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens the last segment of a path by `sealPicture`. Undefined if none of the secrets sealed it. */
export function openPicture(secrets: readonly string[], sealed: string): SealedPicture | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (!BASE64URL.test(sealed) || bytes.length <= NONCE_BYTES + TAG_BYTES + OWNER_BYTES) return undefined;
  for (const secret of secrets) {
    const text = decrypt(keysOf(secret).encryption, bytes);
    if (text) return { owner: text.subarray(0, OWNER_BYTES).toString('hex'), address: text.subarray(OWNER_BYTES).toString() };
  }
  return undefined;
}

function decrypt(key: Buffer, bytes: Buffer): Buffer | undefined {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}
