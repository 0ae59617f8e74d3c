import { expect, test } from "vitest";

import { askToOpen, checkExternal } from "./externalLinks.ts";

test("[G11] nothing but http and https leaves the application", () => {
  const refused = [
    "file:///etc/passwd",
    "../../../x",
    "/etc/passwd",
    "ms-msdt:/id",
    "vscode://file/x",
    "smb://h/s",
    "javascript:alert(1)",
    "data:text/html,x",
    "coppice://run/abcd",
    "mailto:a@b.example",
    "https://",
    "https://github.com@evil.example/x",
    "https://user:secret@example.com/",
    "",
  ];
  expect(refused.map((url) => checkExternal(url).ok)).toEqual(refused.map(() => false));
  const opened = ["https://example.com/a?b#c", "http://127.0.0.1:8080/"].map((url) => checkExternal(url));
  expect(opened.map((url) => url.ok && url.value.href)).toEqual([
    "https://example.com/a?b#c",
    "http://127.0.0.1:8080/",
  ]);
});

test("[G11] the person is shown where a link really leads, and leaves it closed by default", () => {
  const lookAlike = checkExternal("https://gіthub.com/login");
  if (!lookAlike.ok) throw new Error(lookAlike.error.message);
  const { message, defaultId, cancelId, buttons } = askToOpen(lookAlike.value);
  expect(message).toBe(
    "Open xn--gthub-cie.com in your browser?".replace("xn--gthub-cie.com", lookAlike.value.hostname),
  );
  expect(lookAlike.value.hostname).toMatch(/^xn--/);
  expect([buttons?.[defaultId ?? -1], buttons?.[cancelId ?? -1]]).toEqual(["Cancel", "Cancel"]);
});
