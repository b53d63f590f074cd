import { minifySync } from 'rolldown/utils';

/** The comment above a module of a package, and the package's name with the module's file. */
const PACKAGE = /^\/\/ .*\/node_modules\/(.+)$/;

/**
 * Removes spaces and shortens the names of variables in packages, whose text V8 keeps while the app runs. Our own modules stay readable, and
 * functions keep their names. Each module of a package becomes one line below its comment, so a line of a stack trace still leads to it.
 * @param code of a bundle, in which a comment with its file stands above each module
 */
export function shortenPackages(code: string): string {
  return code
    .split(/^(?=\/\/ \S+$)/m)
    .map((module) => {
      const name = PACKAGE.exec(module.slice(0, module.indexOf('\n')))?.[1];
      return name ? `// ${name}\n${shorten(module, name)}\n` : module;
    })
    .join('');
}

function shorten(module: string, name: string): string {
  const options = {
    module: false,
    compress: false,
    mangle: { toplevel: false, keepNames: true },
    codegen: { removeWhitespace: true, asciiOnly: true },
  };
  const { code, errors } = minifySync(name, module, options);
  if (errors.length > 0) throw new Error(`${name} cannot be shortened: ${errors.map(({ message }) => message).join(', ')}`);
  return code;
}
