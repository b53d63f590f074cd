import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    sourcemap: true,
    // livekit-client alone is half a megabyte, 140 kB on the wire.
    chunkSizeWarningLimit: 700,
  },
});
