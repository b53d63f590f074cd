/** In place of Excalidraw's converter of diagrams. A pasted text that looks like a diagram stays a text. */
export function parseMermaidToExcalidraw(): Promise<never> {
  return Promise.reject(new Error('the board converts no diagrams'));
}
