import type { ApiClient } from '@classroom/testing';

const TUS = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };

interface About {
  title: string;
  fileName: string;
  contentType: string;
}

const PDF: About = { title: 'Circles', fileName: 'circles.pdf', contentType: 'application/pdf' };

/** Creates a document of a class, as its backend or in class, and sends its file. @returns its id */
export async function sendDocument(
  client: ApiClient,
  path: `/v1/room/${string}/documents` | '/v1/classroom/documents',
  file: Buffer,
  about = PDF,
): Promise<string> {
  const { status, body } = await client.post(path, { ...about, size: file.length });
  expect(status).toBe(200);
  const { documentId, upload } = body.data as { documentId: string; upload: { url: string } };
  expect((await fetch(upload.url, { method: 'PATCH', headers: TUS, body: new Uint8Array(file) })).status).toBe(204);
  return documentId;
}
