// Who may write to whom under `groups`, and what becomes of what they write.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { Topology } from "../../../shared/contract/topology.ts";
import { maySee } from "../policy/groups.ts";

/** Two in `api`, one in `web` that may write to `api`, one in no group. */
function fourUnder(topology: Topology): Story {
  const story = new Story({ options: { topology } }).start();
  story.spawn({ group: "api" });
  story.spawn({ group: "api" });
  story.spawn({ group: "web", mayMessage: ["api"] });
  story.spawn();
  return story;
}

let calls = 0;

/** Writes to a peer in a turn of its own; the answer. */
function write(
  story: Story,
  from: SubagentId,
  to: string,
): { delivered?: readonly string[]; error?: { code: string; message: string } } {
  const id = `peer-${++calls}`;
  story.turn(from, { calls: [{ id, name: "messagePeer", arguments: "{}" }] });
  story.must({
    type: "agent.control",
    agent: from,
    call: id,
    control: { tool: "messagePeer", input: { to, text: "It is v2." } },
  });
  const answer = story.events.findLast((event) => event.type === "tool.answered" && event.data.call === id);
  return JSON.parse(answer?.type === "tool.answered" ? answer.data.output : "{}") as ReturnType<typeof write>;
}

describe("under groups", () => {
  test("one writes to its own group and to those on its list, and the receiver's journal says who wrote", () => {
    const story = fourUnder("groups");
    expect(write(story, "subagent-1", "subagent-2").delivered).toEqual(["subagent-2"]);
    expect(write(story, "subagent-3", "api").delivered).toEqual(["subagent-1", "subagent-2"]);
    expect(story.ofType("subagent.messaged").map(({ agent, data }) => [agent, data])).toEqual([
      ["subagent-2", { text: "It is v2.", from: "subagent-1" }],
      ["subagent-1", { text: "It is v2.", from: "subagent-3" }],
      ["subagent-2", { text: "It is v2.", from: "subagent-3" }],
    ]);
    expect(story.node("subagent-3").packet).toMatchObject({ group: "web", mayMessage: ["api"] });
    expect(story.node("subagent-4").packet.allowedTools).toContain("messagePeer");
  });

  test.each<[from: SubagentId, to: string, code: string]>([
    ["subagent-1", "subagent-3", "PEER_NOT_ALLOWED"],
    ["subagent-1", "web", "PEER_NOT_ALLOWED"],
    ["subagent-4", "subagent-1", "PEER_NOT_ALLOWED"],
    ["subagent-3", "subagent-9", "UNKNOWN_PEER"],
    ["subagent-1", "lead", "UNKNOWN_PEER"],
  ])("%s may not write to %s: %s", (from, to, code) => {
    const story = fourUnder("groups");
    expect(write(story, from, to).error?.code).toBe(code);
    expect(story.ofType("subagent.messaged")).toEqual([]);
  });

  test("a person's list goes before what the lead asks for: the packet has it, and the lead is told what is left out", () => {
    const mayMessage = [
      { from: "web", to: "api" },
      { from: "api", to: "ops" },
    ];
    const story = new Story({ options: { topology: "groups", mayMessage } }).start();
    story.spawn({ group: "api", mayMessage: ["web"] });
    story.spawn({ group: "web" });
    story.spawn();
    expect(story.state.nodes.map(({ packet }) => packet.mayMessage)).toEqual([["ops"], ["api"], []]);
    expect(story.ofType("handoff.recorded").map(({ data }) => data.warnings.at(-1))).toEqual([
      "A person says which groups may write to which, and api may not write to web; that is left out of its packet.",
      expect.not.stringContaining("A person says"),
      expect.not.stringContaining("A person says"),
    ]);
    expect([
      write(story, "subagent-2", "api").delivered,
      write(story, "subagent-1", "web").error?.code,
      write(story, "subagent-3", "api").error?.code,
    ]).toEqual([["subagent-1"], "PEER_NOT_ALLOWED", "PEER_NOT_ALLOWED"]);
  });

  test("who has ended reads nothing, and a question waits for the lead's answer, not for a peer's", () => {
    const story = fourUnder("groups");
    story.complete("subagent-2");
    expect(write(story, "subagent-1", "subagent-2").error?.code).toBe("PEER_UNREACHABLE");
    story.submit("subagent-1", "needs_context", "Which version?");
    write(story, "subagent-3", "subagent-1");
    expect(story.node("subagent-1").status).toBe("waiting");
  });

  test("a group sees its own notes and the lead's, and what its dependencies did", () => {
    const story = fourUnder("groups");
    const dependent = story.spawn({ dependsOn: ["subagent-3"] });
    const sees = (id: SubagentId) =>
      (["lead", "subagent-1", "subagent-3"] as const).map((author) => maySee(story.state, story.node(id), author));
    expect([sees("subagent-2"), sees("subagent-4"), sees(dependent)]).toEqual([
      [true, true, false],
      [true, false, false],
      [true, false, true],
    ]);
  });
});

test("under any other topology nobody writes to a peer, and groups are not kept", () => {
  const story = fourUnder("supervisor");
  expect(write(story, "subagent-1", "subagent-2").error?.code).toBe("NO_PEERS");
  expect(story.node("subagent-1").packet).not.toHaveProperty("group");
});
