/** Files that a command writes, and releases as they were: not measured, not checked as prose. `.oxfmtrc.json` has them too. */
const GENERATED = [
  /^libs\/contracts\/released\//,
  /^libs\/sdk\/src\/(?:schema|entities|resources|admin)\.ts$/,
  /^apps\/classroom\/src\/session\/routes\.ts$/,
  /^apps\/console\/src\/api\/routes\.ts$/,
  /\/schema\/sql\.ts$/,
];

/** @param file path in the repository */
export const isGenerated = (file: string): boolean => GENERATED.some((pattern) => pattern.test(file));
