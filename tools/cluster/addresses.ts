/** Of the node, and of what runs on its own address. */
export const NODE = '10.98.0.10';
export const POD_NETWORK = '10.244.0.0/24';
export const SERVICE_NETWORK = '10.96.0.0/16';
export const API_SERVICE = '10.96.0.1';
export const DNS_SERVICE = '10.96.0.10';

/** Public names, as browsers and pods know them: the page and API, LiveKit on the node's own address, and the storage. */
export const HOSTS = { 'class.school.test': '10.96.0.80', 'livekit.school.test': NODE, 'files.school.test': '10.96.0.70' };
