import { useApp } from '../app/context.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';

const loadDialog = () => import('../consent/ConsentDialog.js').then(({ ConsentDialog }) => ConsentDialog);

/** The question for consent, which is loaded when a class asks for it. */
export function ConsentHost() {
  const isOpen = useApp((app) => app.consent !== undefined);
  return isOpen ? <LoadedPanel load={loadDialog} /> : null;
}
