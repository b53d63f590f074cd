import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Smaller files, in bytes, are not compressed: the headers would outweigh the gain. */
const WORTH_IT = 1024;

/**
 * Adds a .br and a .gz file for each script and stylesheet: compressed at build time with the best quality, instead of for each
 * visitor.
 */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = join(dir, name);
      const content = await readFile(file);
      if (content.length < WORTH_IT) continue;
      await writeFile(`${file}.br`, await brotlied(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
      await writeFile(`${file}.gz`, await gzipped(content, { level: constants.Z_BEST_COMPRESSION }));
    }
  },
};

export default defineConfig({
  plugins: [react(), precompressed],
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // The page's content security policy allows no data: fonts, and the page has few images.
    assetsInlineLimit: 0,
    sourcemap: true,
    // Browsers without modulepreload load the same files, only later. The polyfill would count towards the first load.
    modulePreload: { polyfill: false },
    // livekit-client alone has about 500 kB, 140 kB when compressed.
    chunkSizeWarningLimit: 700,
    rollupOptions: { input: { index: page('index.html'), recording: page('recording.html'), player: page('player.html') } },
  },
});
