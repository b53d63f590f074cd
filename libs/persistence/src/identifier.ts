/** @throws if the name needs escaping in SQL */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`${name} is not a plain identifier`);
  return `"${name}"`;
}
