import fs from 'node:fs';
import path from 'node:path';

const subfolders = (folder: string) =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));

/**
 * Reports each file that changes in a folder or below it, also in folders that are new. Watches folder by folder: on Linux a recursive watch
 * follows the file that an editor replaces, not the one that takes its name.
 * @returns ends the watch
 */
export function watchFolders(root: string, onChange: (file: string) => void, onError: (error: Error) => void): () => void {
  const watchers = new Map<string, fs.FSWatcher>();
  const watch = (folder: string) => {
    if (watchers.has(folder)) return;
    const watcher = fs.watch(folder, (_event, name) => {
      if (!name) return;
      const changed = path.join(folder, name);
      const stat = fs.statSync(changed, { throwIfNoEntry: false });
      if (stat?.isDirectory()) watch(changed);
      else if (stat) onChange(changed);
      else forget(changed);
    });
    watcher.on('error', onError);
    watchers.set(folder, watcher);
    for (const subfolder of subfolders(folder)) watch(subfolder);
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  watch(root);
  return () => [...watchers.keys()].forEach(forget);
}
