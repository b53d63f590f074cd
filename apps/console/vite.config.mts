import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from '../../libs/page/src/build/precompressed.ts';

export default defineConfig({
  base: '/console/',
  plugins: [react(), precompressed],
  build: {
    target: 'es2022',
    // The page's content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    sourcemap: true,
    modulePreload: { polyfill: false },
  },
});
