import { webOrigin } from './classroom-frame.js';
import { IFRAME_ALLOW } from './protocol.js';

/** What a classroom's iframe needs; the referrer names the host to browsers that tell a framed page nothing else. */
export const IFRAME_ATTRIBUTES = {
  allow: IFRAME_ALLOW,
  referrerpolicy: 'strict-origin-when-cross-origin',
} as const;

export const IFRAME_STYLE = { display: 'block', width: '100%', height: '100%', border: '0' } as const;

/** @throws TypeError for what is no web address: a `javascript:` one would run in the host's own page */
export function load(iframe: HTMLIFrameElement, src: string): void {
  const { href } = new URL(src, iframe.ownerDocument.baseURI);
  if (webOrigin(href) === undefined) throw new TypeError('src must be an http or https address');
  // Setting the same address would load the page again.
  if (iframe.getAttribute('src') !== href) iframe.setAttribute('src', href);
}
