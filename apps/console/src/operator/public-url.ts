/** The address at which staff reach the console: operators may use another port of the same gateway. */
export function publicUrl(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=console]');
  const { publicUrl } = JSON.parse(meta?.content ?? '{}') as { publicUrl?: string };
  return (publicUrl ?? location.origin).replace(/\/$/, '');
}
