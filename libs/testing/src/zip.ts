import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The texts of the files in a ZIP file, by path. Fails for a file that is damaged or cut off. */
export async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) files[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  return files;
}
