import { describe, expect, it } from "vitest";
import type { Mount } from "./mounts.ts";
import { seatbeltProfile } from "./seatbelt.ts";

const mounts: readonly Mount[] = [
  { kind: "readOnly", path: "/Users/ada/data/own/.git" },
  { kind: "writable", path: "/Users/ada/data/own" },
  { kind: "empty", path: "/Users/ada", isWritable: false },
  { kind: "empty", path: "/private/tmp", isWritable: true },
  { kind: "readOnly", path: "/Users/ada/tools", source: "/opt/tools" },
];

/** What a profile says of the disk, in its order. */
function diskRules(profile: string): readonly string[] {
  const lines = profile.trimEnd().split("\n");
  return lines.slice(lines.indexOf('(allow file-read* (literal "/dev"))') + 1);
}

describe("the profile for Seatbelt", () => {
  it("denies what it does not name, and lets a program run without reaching another", () => {
    const profile = seatbeltProfile({ mounts: [], cwd: "/", network: "off" });
    expect(profile).toBe(
      [
        "(version 1)",
        "(deny default)",
        "(allow process-exec)",
        "(allow process-fork)",
        "(allow process-info* (target same-sandbox))",
        "(allow signal (target same-sandbox))",
        "(allow ipc-posix-sem)",
        "(allow ipc-posix-shm)",
        '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership") (global-name "com.apple.system.notification_center") (global-name "com.apple.system.logger") (global-name "com.apple.logd") (global-name "com.apple.bsd.dirhelper"))',
        '(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.") (sysctl-name-prefix "kern.os") (sysctl-name-prefix "kern.proc.pgrp.") (sysctl-name-prefix "kern.proc.pid.") (sysctl-name "kern.argmax") (sysctl-name "kern.boottime") (sysctl-name "kern.hostname") (sysctl-name "kern.maxfiles") (sysctl-name "kern.maxfilesperproc") (sysctl-name "kern.maxproc") (sysctl-name "kern.ngroups") (sysctl-name "kern.secure_kernel") (sysctl-name "kern.usrstack64") (sysctl-name "kern.version") (sysctl-name "sysctl.proc_cputype") (sysctl-name "vm.loadavg"))',
        "(allow system-socket (socket-domain AF_UNIX))",
        "(allow file-read*)",
        '(deny file-read* (subpath "/dev"))',
        '(allow file-read* file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/dtracehelper") (literal "/dev/stdin") (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))',
        '(allow file-read* (literal "/dev"))',
        "",
      ].join("\n"),
    );
  });

  it("closes outer folders before it opens inner ones, and locks what is on the way", () => {
    expect(diskRules(seatbeltProfile({ mounts, cwd: "/Users/ada/data/own", network: "off" }))).toEqual([
      '(deny file-read* file-write* (subpath "/Users/ada"))',
      '(deny file-read* file-write* (subpath "/private/tmp"))',
      '(allow file-read* (subpath "/Users/ada/tools") (subpath "/opt/tools"))',
      '(deny file-write* (subpath "/Users/ada/tools") (subpath "/opt/tools"))',
      '(allow file-read* file-write* (subpath "/Users/ada/data/own"))',
      '(allow file-read* (subpath "/Users/ada/data/own/.git"))',
      '(deny file-write* (subpath "/Users/ada/data/own/.git"))',
      '(allow file-read-metadata (literal "/") (literal "/Users") (literal "/Users/ada") (literal "/Users/ada/data") (literal "/Users/ada/data/own"))',
      '(deny file-write-unlink (literal "/") (literal "/Users") (literal "/Users/ada") (literal "/Users/ada/data") (literal "/Users/ada/data/own") (literal "/private/tmp") (literal "/Users/ada/tools") (literal "/Users/ada/data/own/.git"))',
    ]);
  });

  it("opens the network by address only, so that unix sockets stay closed", () => {
    const rules = (network: "on" | "off"): readonly string[] =>
      seatbeltProfile({ mounts: [], cwd: "/", network }).split("\n");
    const off = rules("off");
    expect(off.filter((rule) => rule.includes("network"))).toEqual([]);
    expect(rules("on").filter((rule) => !off.includes(rule))).toEqual([
      "(allow system-socket (socket-domain AF_INET) (socket-domain AF_INET6))",
      '(allow network-outbound (remote ip "*:*") (literal "/private/var/run/mDNSResponder"))',
      '(allow network-inbound (local ip "*:*"))',
      '(allow network-bind (local ip "*:*"))',
      '(allow mach-lookup (global-name "com.apple.trustd.agent") (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.SystemConfiguration.DNSConfiguration"))',
    ]);
  });

  it("quotes a path as one string, and refuses one that it cannot spell", () => {
    const profileOf = (path: string): string =>
      seatbeltProfile({ mounts: [{ kind: "writable", path }], cwd: "/", network: "off" });
    expect(profileOf('/a "b" \\ (c)')).toContain('(subpath "/a \\"b\\" \\\\ (c)")');
    expect(() => profileOf("/a\nb")).toThrow("control character");
  });
});
