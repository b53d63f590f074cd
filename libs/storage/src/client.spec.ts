import { S3ServiceException } from '@aws-sdk/client-s3';
import { isStorageFull } from './client.js';

describe('a storage that is full', () => {
  const refusal = (name: string, httpStatusCode: number) =>
    new S3ServiceException({ name, $fault: 'server', $metadata: { httpStatusCode } });

  it.each([
    [refusal('InsufficientStorage', 507), true],
    [refusal('XMinioStorageFull', 507), true],
    [refusal('QuotaExceeded', 403), true],
    [refusal('AccessDenied', 403), false],
    [refusal('InternalError', 500), false],
    [new Error('connect ECONNREFUSED'), false],
  ])('is distinguished from one that does not answer or refuses: %s', (error, isFull) => {
    expect(isStorageFull(error)).toBe(isFull);
  });
});
