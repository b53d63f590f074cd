import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './landing.css';

interface Landing {
  /** Only of a local deployment. */
  links?: { name: string; url: string }[];
}

/** How often a visible page reads the state again, in milliseconds. */
const HEALTH_MS = 10_000;
const HEALTH: Record<string, string> = {
  healthy: 'Everything works.',
  degraded: 'A feature is down.',
  unhealthy: 'A part that every class needs is down.',
};
const LOCAL = [
  { name: 'Console for operators', url: '/console/operator' },
  { name: 'API reference', url: '/docs/' },
  { name: 'API reference for operators', url: '/docs/operators/' },
];

const { links } = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=landing]')?.content ?? '{}') as Landing;
// In production the page names the service and leads to nothing.
if (links) {
  const list = document.querySelector('#links');
  for (const { name, url } of [...links, ...LOCAL]) {
    const item = document.createElement('li');
    item.append(Object.assign(document.createElement('a'), { href: url, textContent: name }));
    list?.append(item);
  }
  void showHealth();
  setInterval(() => document.hidden || void showHealth(), HEALTH_MS);
}

async function showHealth(): Promise<void> {
  const line = document.querySelector('#health');
  const answer = await fetch('/v1/health/status').then(
    (response) => response.json() as Promise<{ data?: { status: string } }>,
    () => undefined,
  );
  if (line) line.textContent = HEALTH[answer?.data?.status ?? ''] ?? 'The services can’t be reached.';
}
