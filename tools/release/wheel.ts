import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** The same files make the same archive. */
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644 };

/** The fields of `[project]` in a pyproject.toml, as JSON reads them. */
interface Project {
  name: string;
  version: string;
  description: string;
  readme: string;
  license: string;
  'requires-python': string;
  dependencies: string[];
  classifiers: string[];
}

/** Reads a table whose values are texts and lists of texts on one line, which JSON writes likewise. */
function readProject(toml: string): Project {
  const [, table = ''] = /^\[project\]\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(toml) ?? [];
  const fields = [...table.matchAll(/^([\w-]+) = (.+)$/gm)].map(([, name, value]) => [name, JSON.parse(String(value))] as const);
  return Object.fromEntries(fields) as unknown as Project;
}

/** The description of the package as wheels have it. */
function metadataOf(folder: string, project: Project): string {
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['License-Expression', project.license],
    ...project.classifiers.map((it) => ['Classifier', it]),
    ['Requires-Python', project['requires-python']],
    ...project.dependencies.map((it) => ['Requires-Dist', it]),
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${fs.readFileSync(path.join(folder, project.readme), 'utf8')}`;
}

/**
 * Writes the wheel of a package that has only Python files, in `src`. It needs no Python, so that every build can make it.
 * @returns its name
 */
export async function writeWheel(folder: string, out: string): Promise<string> {
  const project = readProject(fs.readFileSync(path.join(folder, 'pyproject.toml'), 'utf8'));
  const name = `${project.name.replaceAll('-', '_')}-${project.version}`;
  const info = `${name}.dist-info`;
  const source = path.join(folder, 'src');
  const files: [string, Buffer][] = fs
    .globSync('**/*.{py,typed}', { cwd: source })
    .sort()
    .map((file) => [file, fs.readFileSync(path.join(source, file))]);
  files.push([`${info}/METADATA`, Buffer.from(metadataOf(folder, project))]);
  files.push([
    `${info}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: virtual-classroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  ]);
  const record = files.map(
    ([file, content]) => `${file},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`,
  );
  files.push([`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)]);
  const wheel = `${name}-py3-none-any.whl`;
  fs.mkdirSync(out, { recursive: true });
  const zip = new ZipFile();
  for (const [file, content] of files) zip.addBuffer(content, file, ENTRY);
  zip.end();
  fs.writeFileSync(path.join(out, wheel), await buffer(zip.outputStream));
  return wheel;
}
