import { expect, test } from "vitest";

import { findNetworkFileSystem } from "./folder.ts";

test("network file systems are known by their type, local ones pass", () => {
  const found = [0x6969, 0xff534d42, -11_317_950, 0xef53, 0x65735546].map((type) =>
    findNetworkFileSystem("/home/me", type, "linux"),
  );
  expect(found).toEqual(["NFS", "CIFS", "CIFS", null, null]);
});

test("a share is known by its path on Windows", () => {
  expect(["\\\\server\\share", "C:\\Users\\me"].map((folder) => findNetworkFileSystem(folder, 0, "win32"))).toEqual([
    "a network share",
    null,
  ]);
});
