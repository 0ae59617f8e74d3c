// The contract's version. A client that meets another one reloads instead of guessing.

export const contractVersion = 1;
