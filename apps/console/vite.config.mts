import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from '../../libs/page/src/precompressed.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  base: '/console/',
  plugins: [react(), precompressed],
  build: {
    target: 'es2022',
    // The page's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    sourcemap: true,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { index: page('index.html'), landing: page('landing.html') } },
  },
});
