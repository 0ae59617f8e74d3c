// `demo`: the bundled sample repository and its recorded model answers, through the real engine. No key, no network, no
// question; a fresh copy each time, so it can be run twice.

import { tmpdir } from "node:os";
import { openSample } from "../../workbench.ts";
import { createReporter, driveToEnd } from "./follow.ts";
import type { Invocation } from "./invocation.ts";

export async function runDemo(invocation: Invocation): Promise<number> {
  const { workbench, output } = invocation;
  const sample = await openSample(tmpdir());
  if (!sample.ok) return output.fail(sample.error);
  const { folder, branch, assignment, model } = sample.value;
  output.line(`The sample repository is in ${folder}.`);
  const reporter = createReporter(output);
  const started = await workbench.startRun(assignment, model, {
    trustsCommands: true,
    onCommit: ({ events, state }) => {
      for (const event of events) reporter.event(event, state);
    },
  });
  if (!started.ok) return output.fail(started.error);
  const code = await driveToEnd(started.value, reporter, invocation);
  const [landing] = started.value.state().landings;
  if (code === 0 && landing?.status === "landed") {
    output.answer(`landed ${landing.new.slice(0, 10)} on ${branch} in ${folder}`);
    output.answer(`  git -C ${folder} show ${branch}`);
  }
  return code;
}
