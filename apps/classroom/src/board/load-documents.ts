/** The dialog of the class's documents, which few open. */
export const loadDocuments = async () => (await import('./DocumentsDialog.js')).DocumentsDialog;
