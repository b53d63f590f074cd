import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectLocation } from './upload.js';

/** S3 allows 5 GiB in one call. 1 GiB completes in time on a slow storage, too. */
export const BYTES_PER_COPY = 1024 ** 3;

export interface CopyOriginal {
  /** Bucket and key in the format of S3's header. */
  CopySource: string;
  size: number;
  contentType: string;
}

/**
 * Copies within the storage. The copy appears when it is complete.
 * @param bytesPerCall bytes per call; a larger object is copied in parts of this size
 */
export async function copyObject(
  client: S3Client,
  location: ObjectLocation,
  { CopySource, size, contentType }: CopyOriginal,
  bytesPerCall: number,
): Promise<void> {
  if (size <= bytesPerCall) {
    await client.send(new CopyObjectCommand({ ...location, CopySource }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...location, ContentType: contentType }));
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += bytesPerCall) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + bytesPerCall, size) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ ...location, UploadId, PartNumber, CopySource, CopySourceRange }),
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...location, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    // If the abort fails, `abortUploads` frees the parts later.
    await client.send(new AbortMultipartUploadCommand({ ...location, UploadId })).catch(() => undefined);
    throw error;
  }
}
