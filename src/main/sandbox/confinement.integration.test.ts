// What a confined command can see, change and reach, tried with real bubblewrap on real folders and sockets.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommands } from "./command.ts";
import { makeTrialPlace, type TrialPlace } from "./trialPlace.ts";

const port = createCommands({ killGraceMs: 200 });
const report = await port.report();
if (report.kind !== "bubblewrap")
  console.log(`Skipped, since bubblewrap cannot confine commands here: ${report.missing.join(" ")}`);

describe.skipIf(report.kind !== "bubblewrap")("a confined command", () => {
  let place: TrialPlace;
  const servers: Server[] = [];
  beforeEach(() => {
    place = makeTrialPlace();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    place.remove();
  });

  it("finds the report whole", () => {
    expect(report).toEqual({ kind: "bubblewrap", isWhole: true, missing: [] });
  });

  it("reads nothing from a hidden folder", async () => {
    const home = path.join(place.base, "person");
    mkdirSync(path.join(home, ".ssh"), { recursive: true });
    writeFileSync(path.join(home, ".ssh", "id_ed25519"), "PRIVATE");
    const outcome = await place.run(port, `cat ${home}/.ssh/id_ed25519; ls -A ${home} ~`, { hidden: [home] });
    expect(outcome.output).not.toContain("PRIVATE");
    expect(outcome.output).not.toContain(".ssh\n");
  });

  it("does not see the person's home, the machine's sockets or other temporary files", async () => {
    const home = os.userInfo().homedir;
    const plain = createCommands({ environment: () => Promise.resolve({ PATH: "/usr/bin:/bin" }) });
    const outcome = await place.run(plain, `ls -A ${home} /run /tmp /var/tmp`, { network: "on" });
    const folders = [home, "/tmp", "/var/tmp"];
    // The Node that runs this may lie below any of them and stays usable; so does the file that resolves names when the network is on.
    const shown = new Set(
      folders.flatMap((folder) =>
        [process.execPath, place.base].map((kept) => path.relative(folder, kept).split(path.sep)[0]),
      ),
    );
    const outside = folders.flatMap((folder) => readdirSync(folder)).filter((name) => !shown.has(name));
    expect(outside.filter((name) => outcome.output.split("\n").includes(name))).toEqual([]);
  });

  it("sees of the checkout only its git folder, and of the data folder only what is its own", async () => {
    const outcome = await place.run(
      port,
      `ls -A ${place.checkout}; ls -A ${place.dataFolder} ${place.dataFolder}/work; cat a.txt`,
    );
    expect(outcome.output).toBe(
      `.git\n${place.dataFolder}:\nhome\nobjects\nwork\n\n${place.dataFolder}/work:\nown\none\n`,
    );
  });

  it("changes nothing outside its root", async () => {
    const targets = [
      `${place.base}/x`,
      `${place.checkout}/x`,
      `${place.dataFolder}/x`,
      "/etc/coppice-x",
      "/usr/coppice-x",
    ];
    const outcome = await place.run(
      port,
      `${targets.map((file) => `echo x > ${file} && echo WROTE ${file}`).join("; ")}; echo x > inside`,
    );
    expect(outcome).toMatchObject({ outcome: "exited", exitCode: 0 });
    expect(outcome.output.match(/WROTE \S+/g) ?? []).toEqual(
      [`WROTE ${place.base}/x`].filter(() => place.base.startsWith("/tmp/")),
    );
    expect([...targets, `${place.root}/inside`].filter((file) => existsSync(file))).toEqual([`${place.root}/inside`]);
  });

  it("changes nothing in a root that is read-only", async () => {
    const outcome = await place.run(port, "cat a.txt; echo x > a.txt", { isRootReadOnly: true });
    expect(outcome).toMatchObject({ outcome: "exited", exitCode: 1 });
    expect(readFileSync(path.join(place.root, "a.txt"), "utf8")).toBe("one\n");
  });

  it("cannot reach a listener on the loopback of this machine", async () => {
    const server = createServer((socket) => socket.end("hello"));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const number = typeof address === "object" && address !== null ? address.port : 0;
    const line = `(read -r word < /dev/tcp/127.0.0.1/${number}; echo "got:$word")`;
    expect((await place.run(port, line)).output).not.toContain("got:hello");
    expect((await place.run(port, line, { network: "on" })).output).toContain("got:hello");
  });

  it.each([
    ["in a hidden temporary folder", (own: TrialPlace) => path.join(own.base, "s")],
    ["in a folder that stays visible", (own: TrialPlace) => path.join(own.root, "s")],
    ["in the abstract namespace", (own: TrialPlace) => `\0${own.tag}`],
  ])("cannot reach a unix socket %s", async (_where, addressOf) => {
    const server = createServer((socket) => socket.end("hello"));
    servers.push(server);
    const address = addressOf(place);
    await new Promise<void>((resolve) => server.listen(address, resolve));
    const script = `require("net").connect(${JSON.stringify(address)}).on("data",d=>console.log("got:"+d)).on("error",e=>console.log(e.code))`;
    const outcome = await place.run(port, `node -e '${script}'`);
    expect(outcome.output).toMatch(/^(ENOENT|ECONNREFUSED|EACCES|ENOTSOCK)\n$/);
  });

  it("has no capability, and processes of its own only", async () => {
    const outcome = await place.run(port, "grep CapEff /proc/self/status; ls -d /proc/[0-9]* | wc -l");
    const [capabilities, count] = outcome.output.split("\n");
    expect(capabilities).toMatch(/^CapEff:\s+0+$/);
    expect(Number(count)).toBeLessThan(8);
  });

  it("uses a folder named in settings although a hidden one holds it", async () => {
    const tools = path.join(place.base, "person", "tools");
    mkdirSync(tools, { recursive: true });
    writeFileSync(path.join(tools, "hello.sh"), "echo hello from tools");
    writeFileSync(path.join(place.base, "person", "key"), "PRIVATE");
    const hidden = [path.join(place.base, "person")];
    const withTools = createCommands({ readOnlyFolders: [tools] });
    const outcome = await place.run(withTools, `sh ${tools}/hello.sh; cat ${hidden[0]}/key; echo x > ${tools}/y`, {
      hidden,
    });
    expect(outcome.output).toContain("hello from tools\n");
    expect(outcome.output).not.toContain("PRIVATE");
    expect(existsSync(path.join(tools, "y"))).toBe(false);
  });

  describe("with git", () => {
    it("commits, and the objects land in the private folder alone", async () => {
      const before = objectFiles(path.join(place.checkout, ".git", "objects"));
      const outcome = await place.run(
        port,
        "echo two >> a.txt && git add -A && git commit -q -m work && git log --format='%an %s' && git status --short",
      );
      expect(outcome).toMatchObject({ outcome: "exited", exitCode: 0, output: "Coppice agent work\nT init\n" });
      expect(objectFiles(path.join(place.checkout, ".git", "objects"))).toEqual(before);
      expect(objectFiles(place.objectFolder)).toHaveLength(3);
      expect(
        place.git(place.checkout, "fsck", "--no-dangling", "--connectivity-only", "refs/heads/main"),
      ).not.toContain("missing");
    });

    it("reads the objects that the repository borrows from a hidden one", async () => {
      const lender = path.join(place.base, "lender");
      place.git(place.base, "clone", "-q", "--bare", place.checkout, lender);
      const objects = path.join(place.checkout, ".git", "objects");
      rmSync(objects, { recursive: true });
      mkdirSync(path.join(objects, "info"), { recursive: true });
      writeFileSync(path.join(objects, "info", "alternates"), `${lender}/objects\n`);
      const outcome = await place.run(port, "git show HEAD:a.txt", { hidden: [place.base] });
      expect(outcome).toMatchObject({ exitCode: 0, output: "one\n" });
    });

    it("[D14] cannot delete objects, move branches or set configuration and hooks", async () => {
      const common = path.join(place.checkout, ".git");
      const head = place.git(place.checkout, "rev-parse", "main");
      const config = readFileSync(path.join(common, "config"), "utf8");
      const outcome = await place.run(
        port,
        `rm -rf ${common}/objects; git update-ref -d refs/heads/main; git config core.fsmonitor ./evil; echo evil > ${common}/hooks/pre-commit; echo done`,
      );
      expect(outcome.output).toMatch(/done\n$/);
      expect(place.git(place.checkout, "rev-parse", "main")).toBe(head);
      expect(place.git(place.checkout, "show", "main:a.txt")).toBe("one");
      expect([
        readFileSync(path.join(common, "config"), "utf8"),
        existsSync(path.join(common, "hooks", "pre-commit")),
      ]).toEqual([config, false]);
    });

    it.each([".git", "commondir", "gitdir", "config.worktree"])(
      "cannot rewrite, replace or remove %s",
      async (name) => {
        const own = path.join(place.checkout, ".git", "worktrees", "own");
        const file = name === ".git" ? path.join(place.root, ".git") : path.join(own, name);
        const before = existsSync(file) ? readFileSync(file, "utf8") : "";
        const outcome = await place.run(
          port,
          `echo evil > ${file} && echo CHANGED; rm -f ${file} && echo CHANGED; (echo evil > t && mv -f t ${file}) && echo CHANGED; mv ${own} ${own}2 && echo CHANGED; true`,
        );
        expect(outcome.output).not.toContain("CHANGED");
        expect(readFileSync(file, "utf8")).toBe(before);
      },
    );

    it("does not start when the place's .git is not what git made", async () => {
      rmSync(path.join(place.root, ".git"));
      mkdirSync(path.join(place.root, ".git"));
      const outcome = await place.run(port, "echo ran");
      expect(outcome).toMatchObject({ outcome: "spawn_failed", exitCode: null, output: "" });
      expect(outcome.message).toContain("is not the file that git made there");
    });
  });
});

/** Object files below a folder, by name; not packs' indexes and the like. */
function objectFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name))
    .toSorted();
}
