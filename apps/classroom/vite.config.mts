import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // The page's policy allows no data: fonts, and images of ours are few.
    assetsInlineLimit: 0,
    sourcemap: true,
    // livekit-client alone is half a megabyte, 140 kB on the wire.
    chunkSizeWarningLimit: 700,
    rollupOptions: { input: { index: page('index.html'), recording: page('recording.html'), player: page('player.html') } },
  },
});
