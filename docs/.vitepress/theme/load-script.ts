import { withBase } from 'vitepress';

const loaded = new Map<string, Promise<void>>();

/** Runs a script of the site's public folder, once. These are too large to be part of the pages. */
export function loadScript(address: string): Promise<void> {
  const known = loaded.get(address);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.type = address.endsWith('.mjs') ? 'module' : 'text/javascript';
    script.src = withBase(address);
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded.`)));
    document.head.append(script);
  });
  loaded.set(address, loading);
  return loading;
}
