import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from '../../libs/page/src/build/precompressed.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

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
