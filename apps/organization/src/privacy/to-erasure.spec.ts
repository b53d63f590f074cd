import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { ErasureReceipt } from '@classroom/contracts';
import { canonical, ReceiptSigner } from './to-erasure.js';

const RECEIPT = { erasureId: 'erasure_1', results: { room: { participants: 2 } } } as unknown as ErasureReceipt;
const WEBHOOK_KEY_SECRET: [string] = ['a secret of at least thirty-two characters'];
const pair = generateKeyPairSync('ed25519');
const RECEIPT_SIGNING_KEY = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

function isSigned({ publicKey, value }: { publicKey: string; value: string }): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(canonical(RECEIPT)), key, Buffer.from(value, 'base64'));
}

describe('the signature of a receipt', () => {
  it('is that of its own key, which stays when the secret of webhooks is rotated', () => {
    const signature = new ReceiptSigner({ RECEIPT_SIGNING_KEY, WEBHOOK_KEY_SECRET }).sign(RECEIPT);
    expect(isSigned(signature)).toBe(true);
    expect(signature.publicKey).toBe(pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'));
    const [rotated]: [string] = ['another secret of at least thirty-two characters'];
    expect(new ReceiptSigner({ RECEIPT_SIGNING_KEY, WEBHOOK_KEY_SECRET: [rotated] }).sign(RECEIPT)).toEqual(signature);
  });

  it('is that of a derived key where there is none', () => {
    const signature = new ReceiptSigner({ RECEIPT_SIGNING_KEY: undefined, WEBHOOK_KEY_SECRET }).sign(RECEIPT);
    expect(isSigned(signature)).toBe(true);
    expect(new ReceiptSigner({ RECEIPT_SIGNING_KEY: undefined, WEBHOOK_KEY_SECRET }).sign(RECEIPT)).toEqual(signature);
  });

  it.each([
    ['text', 'not-a-key'],
    ['a key of another kind', generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')],
  ])('needs a key, and the refusal does not contain it: %s', (_, key) => {
    const make = () => new ReceiptSigner({ RECEIPT_SIGNING_KEY: key, WEBHOOK_KEY_SECRET });
    expect(make).toThrow('RECEIPT_SIGNING_KEY');
    expect(make).not.toThrow(key);
  });
});
