/** A box of an MP4 file (ISO/IEC 14496-12): the offsets of its start, of its body, and of its end. */
interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

function* boxesIn(file: Buffer, from: number, to: number): Generator<Box> {
  for (let start = from; start + 8 <= to;) {
    const size = file.readUInt32BE(start);
    const end = size === 0 ? to : start + size;
    yield { type: file.toString('latin1', start + 4, start + 8), start, body: start + 8, end };
    if (end <= start) return;
    start = end;
  }
}

/** @throws if there is no box at this path, such as `moov/trak/tkhd` */
export function findBox(file: Buffer, path: string): Box {
  let found: Box = { type: '', start: 0, body: 0, end: file.length };
  for (const type of path.split('/')) {
    const within = [...boxesIn(file, found.body + (found.type === 'dref' ? 8 : 0), found.end)];
    const next = within.find((box) => box.type === type);
    if (!next) throw new Error(`no ${type} of ${path} in the file`);
    found = next;
  }
  return found;
}

/** The same file with another body in that box; the sizes of the enclosing boxes are adjusted. */
export function withBody(file: Buffer, path: string, body: Buffer): Buffer {
  const target = findBox(file, path);
  const changed = Buffer.concat([file.subarray(0, target.body), body, file.subarray(target.end)]);
  const more = body.length - (target.end - target.body);
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const { start } = findBox(file, names.slice(0, depth).join('/'));
    changed.writeUInt32BE(file.readUInt32BE(start) + more, start);
  }
  return changed;
}
