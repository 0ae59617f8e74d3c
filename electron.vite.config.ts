// Bundles the three processes into out/: main (with its threads for store and care), preload, renderer. Dependencies stay in node_modules.

import { resolve } from "node:path";

import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

const path = (name: string) => resolve(import.meta.dirname, name);

export default defineConfig({
  main: {
    build: {
      outDir: "out/main",
      // The oldest Node that `engines` allows: `serve` and `cli` also run outside Electron.
      target: "node22.12",
      sourcemap: true,
      // Bundled, because Node loads one file in half the time of several hundred: each command starts anew.
      externalizeDeps: { exclude: ["ajv", "commander", "ignore", "openai", "picomatch", "ws", "yaml", "zod"] },
      rolldownOptions: {
        input: {
          index: path("src/main/index.ts"),
          cli: path("src/main/cli.ts"),
          serve: path("src/main/serve.ts"),
          storeWorker: path("src/main/store/worker.ts"),
          foldEntry: path("src/main/care/foldEntry.ts"),
          careWorker: path("src/main/care/careWorker.ts"),
        },
        output: {
          format: "es",
          entryFileNames: "[name].js",
          // Flat, beside the entries: `new URL("./storeWorker.js", import.meta.url)` means the same in every file.
          chunkFileNames: "[name]-[hash].js",
        },
      },
    },
  },
  preload: {
    build: {
      outDir: "out/preload",
      // A sandboxed preload is one CommonJS file: it can require `electron` and nothing else.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: path("src/preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
      },
    },
  },
  renderer: {
    root: "src/renderer",
    plugins: [react()],
    // A thread of the page is a file of its own: its content policy allows no other.
    worker: { format: "es" },
    build: {
      outDir: path("out/renderer"),
      // A window reads its script before it draws anything. Maps are beside it, for whoever reads a stack.
      minify: true,
      sourcemap: "hidden",
      // The page runs under `default-src 'self'`: no data URLs, no inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: path("src/renderer/index.html") },
    },
  },
});
