/** A SQL statement without comments, with strings emptied and whitespace collapsed. */
export interface Statement {
  text: string;
  /** The release that a comment `-- contract: 1.2.0` above the statement names. */
  contract: string | undefined;
}

/** Comments, strings, quoted names, dollar-quoted bodies, the end of a statement, any other character. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;]/g;
const CONTRACT = /^-- contract: (\d+\.\d+\.\d+)\s*$/;

export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = [];
  let text = '';
  let contract: string | undefined;
  const end = () => {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (plain !== '') {
      found.push({ text: plain, contract });
      contract = undefined;
    }
    text = '';
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') end();
    else if (token.startsWith('--') || token.startsWith('/*')) {
      contract = CONTRACT.exec(token)?.[1] ?? contract;
      text += ' ';
    } else if (/^(?:[eE]?'|\$\w*\$)/.test(token)) text += "''";
    else if (token.startsWith('"')) text += token.slice(1, -1).replaceAll('""', '"');
    else text += token;
  }
  end();
  return found;
}

/** Splits at commas outside of parentheses. */
export function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}
