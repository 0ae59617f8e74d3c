// Finds the Chromium that the end-to-end tests drive: the system's own, never one that Playwright would download.

import { existsSync } from "node:fs";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Path of a Chromium, `COPPICE_CHROMIUM` first. @returns {string | undefined} */
export function findChromium() {
  return [process.env["COPPICE_CHROMIUM"] ?? "", ...places].find((place) => place !== "" && existsSync(place));
}
