export type RangeAnswer = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' };

const ONE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a single range of RFC 9110; `start` and `end` are both inclusive. Several ranges or an invalid header give the whole file, as
 * the RFC allows.
 */
export function byteRange(header: string | undefined, size: number): RangeAnswer {
  const [found, first = '', last = ''] = ONE.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (!found || (first === '' && last === '')) return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
