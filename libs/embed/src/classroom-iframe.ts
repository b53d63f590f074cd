import { webOrigin } from './classroom-frame.js';
import { IFRAME_ALLOW } from './protocol.js';

/** The attributes of a classroom iframe. The referrer names the host page in browsers that have no other way to tell a framed page. */
export const IFRAME_ATTRIBUTES = {
  allow: IFRAME_ALLOW,
  referrerpolicy: 'strict-origin-when-cross-origin',
} as const;

export const IFRAME_STYLE = { display: 'block', width: '100%', height: '100%', border: '0' } as const;

/** @throws TypeError if `src` is not an http or https URL: a `javascript:` URL would run in the host page */
export function load(iframe: HTMLIFrameElement, src: string): void {
  const { href } = new URL(src, iframe.ownerDocument.baseURI);
  if (webOrigin(href) === undefined) throw new TypeError('src must be an http or https address');
  // Setting `src` to the same URL would reload the page.
  if (iframe.getAttribute('src') !== href) iframe.setAttribute('src', href);
}
