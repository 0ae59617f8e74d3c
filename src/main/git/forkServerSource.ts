// The fork server as source text. It is handed to a bare Node on its standard input, because a file of its own would have
// to be found again from the sources, from the built bundle and from inside an Electron archive; text is found from all three.

/** Plain CommonJS, Node's own modules only. Speaks the messages of `forkServer.ts`; ends when the process that started it does. */
export const forkServerSource = String.raw`
"use strict";
const { spawn } = require("node:child_process");

const running = new Map();

function tell(message, stream) {
  if (!process.connected) return;
  // Whoever reads slowly is waited for, so that nothing piles up here.
  if (!process.send(message, () => stream && stream.resume()) && stream) stream.pause();
}

function start(id, { file, args, cwd, env, hasInput }) {
  let failure = null;
  let child;
  try {
    // A process group of its own: a filter that git started would outlive git and keep its pipes open.
    child = spawn(file, args, {
      cwd,
      env,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
    });
  } catch (error) {
    tell({ id, end: { exitCode: null, signal: null, failure: error.code || error.message } });
    return;
  }
  running.set(id, child);
  child.on("error", (error) => {
    failure = error.code || error.message;
  });
  child.on("close", (exitCode, signal) => {
    running.delete(id);
    tell({ id, end: { exitCode: failure === null ? exitCode : null, signal, failure } });
  });
  // It may end before it has read everything; its exit code says what it made of that.
  if (child.stdin) child.stdin.on("error", () => {});
  if (child.pid !== undefined) tell({ id, pid: child.pid });
  for (const name of ["stdout", "stderr"]) child[name].on("data", (bytes) => tell({ id, [name]: bytes }, child[name]));
}

process.on("message", ({ id, start: spec, input, isLast }) => {
  if (spec) return start(id, spec);
  const child = running.get(id);
  if (!child || !child.stdin) return;
  if (input) child.stdin.write(input);
  if (isLast) child.stdin.end();
});
process.on("disconnect", () => process.exit());
// What is pressed in a terminal is for the process that started this one to answer.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
`;
