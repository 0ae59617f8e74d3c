// Owns the translation of a sandbox layout into a profile for macOS's sandbox-exec, with bubblewrap's promises. Pure: it
// looks at no disk and starts nothing. In a profile the last rule that matches decides, so outer folders come first.

import path from "node:path";
import { inMountOrder, type Layout, type Mount } from "./mounts.ts";

/** What a program needs to run at all. Anything that is not named is denied: other processes, the keychain, opening apps. */
const processRules = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec)",
  "(allow process-fork)",
  "(allow process-info* (target same-sandbox))",
  "(allow signal (target same-sandbox))",
  "(allow ipc-posix-sem)",
  "(allow ipc-posix-shm)",
  // Accounts by name, the log, notifications: without them libc itself stumbles.
  allow("mach-lookup", [
    ...names("global-name", [
      "com.apple.system.opendirectoryd.libinfo",
      "com.apple.system.opendirectoryd.membership",
      "com.apple.system.notification_center",
      "com.apple.system.logger",
      "com.apple.logd",
      "com.apple.bsd.dirhelper",
    ]),
  ]),
  // By name, since kern.procargs2 tells the environment of every other process of the person.
  allow("sysctl-read", [
    ...names("sysctl-name-prefix", ["hw.", "machdep.cpu.", "kern.os", "kern.proc.pgrp.", "kern.proc.pid."]),
    ...names("sysctl-name", [
      "kern.argmax",
      "kern.boottime",
      "kern.hostname",
      "kern.maxfiles",
      "kern.maxfilesperproc",
      "kern.maxproc",
      "kern.ngroups",
      "kern.secure_kernel",
      "kern.usrstack64",
      "kern.version",
      "sysctl.proc_cputype",
      "vm.loadavg",
    ]),
  ]),
  // Pairs of connected sockets are how programs talk to their children; what a socket may reach is ruled below.
  "(allow system-socket (socket-domain AF_UNIX))",
] as const;

/** The whole disk to read, and of the devices those that lead nowhere: no terminal of the person's. */
const systemView = [
  "(allow file-read*)",
  '(deny file-read* (subpath "/dev"))',
  allow("file-read* file-write-data file-ioctl", [
    ...names("literal", [
      "/dev/null",
      "/dev/zero",
      "/dev/random",
      "/dev/urandom",
      "/dev/dtracehelper",
      "/dev/stdin",
      "/dev/stdout",
      "/dev/stderr",
    ]),
    '(subpath "/dev/fd")',
  ]),
  '(allow file-read* (literal "/dev"))',
] as const;

/** Unix sockets stay closed but for the one that resolves names. */
const networkRules = [
  "(allow system-socket (socket-domain AF_INET) (socket-domain AF_INET6))",
  '(allow network-outbound (remote ip "*:*") (literal "/private/var/run/mDNSResponder"))',
  '(allow network-inbound (local ip "*:*"))',
  '(allow network-bind (local ip "*:*"))',
  allow(
    "mach-lookup",
    names("global-name", [
      "com.apple.trustd.agent",
      "com.apple.SystemConfiguration.configd",
      "com.apple.SystemConfiguration.DNSConfiguration",
    ]),
  ),
] as const;

/** The profile for one command, ended by a newline. Throws when a path cannot be written in one. */
export function seatbeltProfile({ mounts, network }: Layout): string {
  const ordered = inMountOrder(mounts);
  const rules = [
    ...processRules,
    ...(network === "on" ? networkRules : []),
    ...systemView,
    ...ordered.flatMap(mountRules),
    ...passageRules(ordered),
  ];
  return `${rules.join("\n")}\n`;
}

function mountRules(mount: Mount): readonly string[] {
  const within = `(subpath ${quote(mount.path)})`;
  switch (mount.kind) {
    // There is nothing to put in its place: scratch space is TMPDIR, in the private home.
    case "empty":
    case "masked":
      return [`(deny file-read* file-write* ${within})`];
    case "readOnly": {
      const source =
        mount.source === undefined || mount.source === mount.path ? "" : ` (subpath ${quote(mount.source)})`;
      return [`(allow file-read* ${within}${source})`, `(deny file-write* ${within}${source})`];
    }
    case "writable":
      return [`(allow file-read* file-write* ${within})`];
  }
}

/** Folders on the way to a mount can be walked through but not listed; and neither they nor the mount can be moved away. */
function passageRules(mounts: readonly Mount[]): readonly string[] {
  const shown = mounts.filter((mount) => mount.kind === "readOnly" || mount.kind === "writable");
  const above = new Set(shown.flatMap((mount) => ancestorsOf(mount.path)));
  const fixed = new Set([...above, ...mounts.map((mount) => mount.path)]);
  return [
    ...(above.size === 0 ? [] : [allow("file-read-metadata", names("literal", [...above]))]),
    ...(fixed.size === 0 ? [] : [`(deny file-write-unlink ${names("literal", [...fixed]).join(" ")})`]),
  ];
}

function ancestorsOf(file: string): readonly string[] {
  const parent = path.posix.dirname(file);
  return parent === file ? [] : [...ancestorsOf(parent), parent];
}

function allow(operations: string, filters: readonly string[]): string {
  return `(allow ${operations} ${filters.join(" ")})`;
}

function names(filter: string, values: readonly string[]): readonly string[] {
  return values.map((value) => `(${filter} ${quote(value)})`);
}

/** A string of the profile's language. A name it cannot spell would make a rule that matches something else. */
function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw new Error(`${JSON.stringify(text)} has a control character, which a sandbox profile cannot name. Rename it.`);
  }
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
