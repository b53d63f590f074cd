import { AppError } from '@classroom/contracts';
import { tenantOf, type ObjectStorage } from '@classroom/storage';
import { InputUploads } from './input-uploads.js';

const audio = Buffer.from('sound').toString('base64');
const never = new AbortController().signal;

/** Uploads to a storage that fails with these errors, one for each attempt, and then works. */
function uploadsWith(...failures: unknown[]) {
  const keys: string[] = [];
  const upload = async (key: string) => {
    keys.push(key);
    if (keys.length <= failures.length) throw failures[keys.length - 1];
  };
  return { keys, uploads: new InputUploads({ upload } as unknown as ObjectStorage) };
}

describe('audio and images of a question', () => {
  const broken = new Error('the folder was removed');

  it.each([0, 1, 2])('are stored under a key of their organization after %i failures', async (count) => {
    const { keys, uploads } = uploadsWith(...Array.from({ length: count }, () => broken));
    const { audio: stored } = await uploads.uploadInputs('org_a', { audio }, never);
    expect(keys).toEqual(Array.from({ length: count + 1 }, () => stored?.key));
    expect(stored?.key.startsWith(`ai-inputs/${tenantOf('org_a')}/`)).toBe(true);
  });

  it('cannot be stored after three failures', async () => {
    const { keys, uploads } = uploadsWith(broken, broken, broken);
    await expect(uploads.uploadInputs('org_a', { audio }, never)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: broken });
    expect(keys).toHaveLength(3);
  });

  it('fail with the error of the storage if it is a known one', async () => {
    const known = new AppError('PAYLOAD_TOO_LARGE');
    await expect(uploadsWith(known, known, known).uploads.uploadInputs('org_a', { audio }, never)).rejects.toBe(known);
  });

  it('are not tried again for a client that has disconnected', async () => {
    const { keys, uploads } = uploadsWith(broken);
    await expect(uploads.uploadInputs('org_a', { audio }, AbortSignal.abort())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(keys).toHaveLength(1);
  });

  it('do not use the storage if there are none', async () => {
    const { keys, uploads } = uploadsWith();
    expect(await uploads.uploadInputs('org_a', { audio: undefined, image: undefined }, never)).toEqual({});
    expect(keys).toEqual([]);
  });
});
