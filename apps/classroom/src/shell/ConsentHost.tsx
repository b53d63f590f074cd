import { useApp } from '../app/context.js';
import { LoadedPanel } from '../panels/parts/LoadedPanel.js';

const loadDialog = () => import('../consent/index.js').then(({ ConsentDialog }) => ConsentDialog);

/** The question for consent, which is loaded when a class asks for it. */
export function ConsentHost() {
  const isOpen = useApp((app) => app.consent !== undefined);
  return isOpen ? <LoadedPanel load={loadDialog} /> : null;
}
