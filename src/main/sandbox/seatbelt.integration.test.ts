// What a command can see, change and reach under real Seatbelt: only on macOS. Everywhere, the profile's text is held
// by seatbelt.test.ts.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommands } from "./command.ts";
import { makeTrialPlace, type TrialPlace } from "./trialPlace.ts";

const port = createCommands({ killGraceMs: 200 });
const report = await port.report();
if (report.kind !== "seatbelt")
  console.log(`Skipped, since Seatbelt is part of macOS and this is ${process.platform}.`);

describe.skipIf(report.kind !== "seatbelt")("a command under Seatbelt", () => {
  let place: TrialPlace;
  const servers: Server[] = [];
  beforeEach(() => {
    place = makeTrialPlace();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    place.remove();
  });

  it("is reported with what macOS cannot do", () => {
    expect(report).toMatchObject({ kind: "seatbelt", isWhole: false });
    expect(report.missing).toHaveLength(2);
  });

  it("reads the system, its place and the repository's git, and nothing of the person's", async () => {
    const outcome = await place.run(
      port,
      `cat a.txt; git log --format=%s; cat ${place.checkout}/secret.txt ${place.dataFolder}/journal.txt; ls /Users`,
    );
    expect(outcome.output).toContain("one\ninit\n");
    expect(outcome.output).not.toMatch(/uncommitted|^journal$/m);
  });

  it("commits, and changes nothing outside its root", async () => {
    const before = place.git(place.checkout, "rev-parse", "main");
    const outcome = await place.run(
      port,
      `echo two >> a.txt && git commit -qam work && git log --format=%s; for file in ${place.base}/x ${place.checkout}/x ${place.dataFolder}/x ${place.checkout}/.git/hooks/x /tmp/coppice-x; do echo x > $file; done; git update-ref -d refs/heads/main; echo done`,
    );
    expect(outcome.output).toMatch(/^work\ninit\n/);
    expect(place.git(place.checkout, "rev-parse", "main")).toBe(before);
    const written = ["x", "checkout/x", "data/x", "checkout/.git/hooks/x"].map((name) => path.join(place.base, name));
    expect([...written, "/tmp/coppice-x"].filter((file) => existsSync(file))).toEqual([]);
  });

  it.each([".git", "commondir", "gitdir", "config.worktree"])("cannot rewrite, replace or remove %s", async (name) => {
    const own = path.join(place.checkout, ".git", "worktrees", "own");
    const file = name === ".git" ? path.join(place.root, ".git") : path.join(own, name);
    const before = existsSync(file) ? readFileSync(file, "utf8") : "";
    const outcome = await place.run(
      port,
      `echo evil > ${file} && echo CHANGED; rm -f ${file} && echo CHANGED; (echo evil > t && mv -f t ${file}) && echo CHANGED; ln ${file} l && echo evil > l && echo CHANGED; mv ${own} ${own}2 && echo CHANGED; true`,
    );
    expect(outcome.output).not.toContain("CHANGED");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("reaches neither a listener on loopback nor a unix socket", async () => {
    const listen = (address: string | number): Promise<Server> =>
      new Promise((resolve) => {
        const server = createServer((socket) => socket.end("hello"));
        servers.push(server);
        server.listen(address, () => resolve(server));
      });
    const address = (await listen(0)).address();
    const number = typeof address === "object" && address !== null ? address.port : 0;
    const socket = path.join(place.root, "s");
    await listen(socket);
    writeFileSync(
      path.join(place.root, "reach.js"),
      'for (const to of process.argv.slice(2)) require("net").connect(/^\\d+$/.test(to) ? Number(to) : to).on("data", (data) => console.log("got:" + data)).on("error", () => console.log("refused"));',
    );
    const line = `node reach.js ${number} ${socket}`;
    expect((await place.run(port, line)).output).toBe("refused\nrefused\n");
    expect((await place.run(port, line, { network: "on" })).output.split("\n").toSorted()).toEqual([
      "",
      "got:hello",
      "refused",
    ]);
  });
});
