// What is said of files that Git LFS keeps and a worktree holds only by their pointers.

/** `3 files of Git LFS are here as pointers; their content is not fetched`. */
export function pointerWords(count: number): string {
  return count === 1
    ? "1 file of Git LFS is here as a pointer; its content is not fetched"
    : `${count} files of Git LFS are here as pointers; their content is not fetched`;
}
