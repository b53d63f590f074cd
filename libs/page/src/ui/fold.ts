// Not from the package's index, which would load every contract into a page.
export { fold } from '../../../contracts/src/kernel/fold.js';
