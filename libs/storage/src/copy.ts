import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Target } from './upload.js';

/** S3 allows 5 GiB in one call. 1 GiB completes in time on a slow storage, too. */
export const COPIED_AT_ONCE = 1024 ** 3;

export interface Original {
  /** Bucket and key in the format of S3's header. */
  CopySource: string;
  size: number;
  contentType: string;
}

/**
 * Copies within the storage. The copy appears when it is complete.
 * @param atOnce bytes per call; a larger object is copied in parts of this size
 */
export async function copyTo(client: S3Client, target: Target, { CopySource, size, contentType }: Original, atOnce: number): Promise<void> {
  if (size <= atOnce) {
    await client.send(new CopyObjectCommand({ ...target, CopySource }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ContentType: contentType }));
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += atOnce) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + atOnce, size) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ ...target, UploadId, PartNumber, CopySource, CopySourceRange }),
      );
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    // If the abort fails, `abortUploads` frees the parts later.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}
