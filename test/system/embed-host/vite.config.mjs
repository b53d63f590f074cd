import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const embed = fileURLToPath(new URL('../../../libs/embed/', import.meta.url));
const fromEmbed = createRequire(`${embed}package.json`);

/** Builds a school's page with the published package, and with the package's own versions of everything else. */
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  resolve: {
    alias: [
      { find: /^@virtual-classroom\/embed$/, replacement: `${embed}dist/index.js` },
      { find: /^@virtual-classroom\/embed\/(react|headless)$/, replacement: `${embed}dist/$1.js` },
      ...['react', 'react-dom/client'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: fromEmbed.resolve(name) })),
    ],
  },
  build: { target: 'es2022', minify: false, emptyOutDir: true, reportCompressedSize: false, chunkSizeWarningLimit: 5_000 },
};
