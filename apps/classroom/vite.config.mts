import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompressed } from '../../libs/page/src/precompressed.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// MediaPipe's program, which blurs backgrounds. It finds its two files by their names, so their folder tells versions apart.
const processors = createRequire(createRequire(import.meta.url).resolve('@livekit/track-processors'));
const vision = path.dirname(processors.resolve('@mediapipe/tasks-vision'));
const { version } = JSON.parse(readFileSync(path.join(vision, 'package.json'), 'utf8')) as { version: string };
const visionFolder = `assets/vision-${version}`;
const visionFiles: Plugin = {
  name: 'vision-files',
  apply: 'build',
  generateBundle() {
    for (const name of ['vision_wasm_internal.js', 'vision_wasm_internal.wasm'])
      this.emitFile({ type: 'asset', fileName: `${visionFolder}/${name}`, source: readFileSync(path.join(vision, 'wasm', name)) });
  },
};

// Excalidraw loads the fonts of texts by their names, in parts: most of the class needs few of them.
const excalidraw = path.dirname(createRequire(import.meta.url).resolve('@excalidraw/excalidraw'));
const { version: boardVersion } = JSON.parse(readFileSync(path.join(excalidraw, '../../package.json'), 'utf8')) as { version: string };
const boardFolder = `assets/excalidraw-${boardVersion}`;
const FALLBACK = '`https://esm.sh/';
const boardFallback = '`${location.origin}/missing/';
const boardFonts: Plugin = {
  name: 'board-fonts',
  apply: 'build',
  transform(code, id) {
    // A font that is missing would otherwise be asked of a server of others.
    return id.includes('@excalidraw/excalidraw/dist') && code.includes(FALLBACK)
      ? { code: code.replaceAll(FALLBACK, boardFallback), map: null }
      : null;
  },
  generateBundle() {
    for (const name of readdirSync(path.join(excalidraw, 'fonts'), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.woff2'))
        this.emitFile({
          type: 'asset',
          fileName: `${boardFolder}/fonts/${name}`,
          source: readFileSync(path.join(excalidraw, 'fonts', name)),
        });
  },
};

export default defineConfig({
  plugins: [react(), visionFiles, boardFonts, precompressed],
  define: {
    VISION_FOLDER: JSON.stringify(`/${visionFolder}`),
    EXCALIDRAW_FOLDER: JSON.stringify(`/${boardFolder}/`),
    'process.env.IS_PREACT': '"false"',
  },
  // A converter of diagrams, which the board does not offer.
  resolve: { alias: { '@excalidraw/mermaid-to-excalidraw': page('src/board/no-diagrams.ts') } },
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // The page's content security policy allows no data: fonts, and the page has few images.
    assetsInlineLimit: 0,
    sourcemap: true,
    // Browsers without modulepreload load the same files, only later. The polyfill would count towards the first load.
    modulePreload: { polyfill: false },
    // livekit-client alone has about 500 kB, Excalidraw 1.1 MB; both are loaded later.
    chunkSizeWarningLimit: 2_000,
    rollupOptions: { input: { index: page('index.html'), recording: page('recording.html'), player: page('player.html') } },
  },
});
