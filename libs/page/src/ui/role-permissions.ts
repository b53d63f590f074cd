// Not from the package's index, which would load every contract into a page.
export { ROLE_PERMISSIONS } from '../../../contracts/src/room/role-permissions.js';
