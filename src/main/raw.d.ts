// Markdown prompts are imported as text: `import text from "./x.md?raw"`. Declared here because `vite/client` would bring the DOM into main.

declare module "*?raw" {
  const text: string;
  export default text;
}
