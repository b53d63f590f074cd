import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';

/**
 * What a build reads or writes, except the installed packages, which follow the lock file. nx.json names the inputs of each project.
 * Nx is asked only if one of these files has changed: it compares contents, and starts for two seconds.
 */
const FILES = ['apps', 'libs', 'docs/reference', 'tools/bundle', 'nx.json', 'pnpm-lock.yaml', 'tsconfig.base.json'];

/** A hash of the names, sizes and times of all files. @param skipped names of folders that do not count */
function fingerprint(root: string, skipped: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (file: string) => {
    const full = path.join(root, file);
    const stat = fs.lstatSync(full, { bigint: true });
    if (stat.isDirectory()) {
      const names = fs.readdirSync(full).filter((name) => !skipped.includes(name));
      for (const name of names.sort()) add(path.join(file, name));
    } else hash.update(`${file} ${stat.size} ${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}\n`);
  };
  FILES.forEach(add);
  return hash.digest('hex');
}

/** Records in a file that a repository is built, until one of its sources or of the build's files changes. */
export class BuildStamp {
  private readonly root: string;
  private readonly file: string;

  constructor(root: string, file: string) {
    this.root = root;
    this.file = file;
  }

  isValid(): boolean {
    return fs.existsSync(this.file) && fs.readFileSync(this.file, 'utf8') === fingerprint(this.root, ['node_modules']);
  }

  /** Builds, and records it, unless a source has changed meanwhile, which may not be part of the build. */
  async around(build: () => Promise<void>): Promise<void> {
    const ofSources = () => fingerprint(this.root, ['node_modules', 'dist']);
    const before = ofSources();
    await build();
    if (ofSources() === before) fs.writeFileSync(this.file, fingerprint(this.root, ['node_modules']));
  }
}
