const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** The metrics in an expression, without its labels. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\boffset\s+\S+/g, ' ');
  const names = bare.match(/(?<![\w.:])[a-zA-Z_:][\w:]*\b(?!\s*\()/g) ?? [];
  return [...new Set(names)].filter((name) => !WORDS.has(name));
}

/** The labels by which an expression filters or groups. */
export function labelsIn(expression: string): string[] {
  const filtered = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, name]) => name ?? '');
  const grouped = [...expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, names]) => (names ?? '').split(/\s*,\s*/));
  return [...new Set([...filtered, ...grouped])];
}
