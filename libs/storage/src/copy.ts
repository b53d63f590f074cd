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

/** S3 takes 5 GiB in one call; so much ends in time on a slow storage too. */
export const COPIED_AT_ONCE = 1024 ** 3;

export interface Original {
  /** Bucket and key, as S3 wants them in a header. */
  CopySource: string;
  size: number;
  contentType: string;
}

/** The storage copies on its own side; the copy appears once it is whole. @param atOnce bytes in one call; a larger object goes in such parts */
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
    // What cannot be freed now is freed with all that nobody ended.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}
