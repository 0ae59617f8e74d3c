import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./commandLine.ts";

describe("a command line", () => {
  it.each([
    ["git status", ["git", "status"]],
    ["  npm\trun  test ", ["npm", "run", "test"]],
    [`git commit -m 'a && b; $(c)'`, ["git", "commit", "-m", "a && b; $(c)"]],
    [`echo "a \\"b\\" \\n" c\\ d ''`, ["echo", `a "b" \\n`, "c d", ""]],
    ["git show HEAD~1 --format=%h x#y", ["git", "show", "HEAD~1", "--format=%h", "x#y"]],
    [`'my tool' --level=2`, ["my tool", "--level=2"]],
  ])("that a shell only splits is words: %s", (line, argv) => {
    expect(parseCommandLine(line)).toEqual({ kind: "argv", argv });
  });

  it.each(
    [
      [
        "",
        " ",
        "git log && rm -rf ~",
        "git log; rm x",
        "cat x | sh",
        "sleep 9 &",
        "a > b",
        "a < b",
        "(a)",
        "echo $HOME",
        "echo `id`",
      ],
      [
        `echo "$(id)"`,
        'echo "`id`"',
        "ls *.ts",
        "ls a?",
        "ls [ab]",
        "echo {a,b}",
        "ls ~",
        "tool --at=~/x",
        "a # b",
        "! a",
        "%1",
      ],
      [
        "git log\nrm x",
        "git log\rrm x",
        "a\0b",
        "echo 'open",
        'echo "open',
        "echo \\",
        "if a",
        "X=1 cmd",
        "eval rm",
        ". ./x",
        "''",
      ],
    ].flat(),
  )("that a shell would do more with needs a shell: %j", (line) => {
    expect(parseCommandLine(line)).toEqual({ kind: "shell", line });
  });
});
