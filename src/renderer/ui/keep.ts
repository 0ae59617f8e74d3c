// Small things that a page keeps in the browser's storage. One that is full or forbidden keeps nothing, and nothing else
// comes of it: what is kept there is a courtesy.

/** Keeps a text under a name, where the storage takes it. */
export function keepText(storage: Pick<Storage, "setItem">, name: string, text: string): void {
  try {
    storage.setItem(name, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
