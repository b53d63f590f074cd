/** Comments, strings, quoted names and casts, in which a colon begins no parameter; `:name`; `$1`. After a value, a colon is that of a slice. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[eE]'(?:[^'\\]|\\[\s\S])*'?|'[^']*'?|"[^"]*"?|\$\$[\s\S]*?(?:\$\$|$)|::|(?<![\w)\]]):([a-zA-Z]\w*)|\$\d+/g;

/**
 * Replaces each `:name` by `$1`, `$2`, …, the same name by the same number.
 * @returns the text, and the names in the order of their numbers; undefined if it has none
 */
export function numberParameters(named: string): { text: string; names: readonly string[] | undefined } {
  const names: string[] = [];
  let positional: string | undefined;
  const text = named.replaceAll(TOKEN, (token: string, name?: string) => {
    if (/^\$\d/.test(token)) positional = token;
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  if (names.length === 0) return { text, names: undefined };
  if (positional) throw new Error(`parameters are named, such as :${names[0]}, or numbered, such as ${positional}, but not both`);
  return { text, names };
}
