// What Git LFS keeps in a commit in a large file's place: a few lines that name its content. Nobody edits them by hand.

const form =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-\S+ sha256:[0-9a-f]{64}\n)*oid sha256:[0-9a-f]{64}\nsize \d+\n$/;

/** The most that a pointer takes, bytes: Git LFS takes nothing longer for one. */
export const maxPointerBytes = 1_024;

/** Whether a whole file's text is such a pointer, and no content. */
export function isLfsPointer(text: string): boolean {
  return text.length <= maxPointerBytes && form.test(text);
}
