// Not from the package's index, which would load every contract into a page.
export { outranks } from '../../../contracts/src/room/outranks.js';
