import { describe, expect, it } from "vitest";
import { collectOutput } from "./output.ts";

const limits = { headChars: 10, tailChars: 10, limitBytes: 100 };

function collect(
  chunks: readonly (string | readonly number[])[],
  own = { headChars: 1000, tailChars: 1000, limitBytes: 1e6 },
) {
  const output = collectOutput(own);
  const texts = chunks.map((chunk) =>
    output.write(typeof chunk === "string" ? Buffer.from(chunk) : Uint8Array.from(chunk)),
  );
  return { texts, isOver: output.isOverLimit(), bytes: output.byteCount(), kept: output.finish() };
}

describe("the output of a command", () => {
  it("holds a character until all its bytes are there", () => {
    expect(
      collect([
        [0x61, 0xe2, 0x82],
        [0xac, 0x62],
      ]),
    ).toMatchObject({ texts: ["a", "€b"], kept: "a€b", bytes: 5 });
  });

  it("shows what is not UTF-8, and a character that is cut at the end, as U+FFFD", () => {
    expect(collect([[0xff, 0x61, 0xe2, 0x82]]).kept).toBe("\uFFFDa\uFFFD");
  });

  it.each([
    [["1%\r2%\r3%\n"], "3%\n"],
    [["1%", "\r2%", "\r", "3%"], "3%"],
    [["\r1%\r2%\r"], "2%"],
    [["a\r\nb\r", "\nc\r\r\n"], "a\nb\nc\n"],
    [["kept\n", "1%\r2%"], "kept\n2%"],
  ])("keeps the last state of a progress line: %j", (chunks, kept) => {
    expect(collect(chunks).kept).toBe(kept);
  });

  it("keeps head and tail and counts what it left out", () => {
    expect(collect(["0123456789", "x".repeat(1000), "\nabcdefghi"], limits).kept).toBe(
      "0123456789\n[… 1,000 characters left out …]\n\nabcdefghi",
    );
  });

  it("cuts no character in two", () => {
    expect(collect(["012345678😀", "x".repeat(50), "😀abcdefghi"], limits).kept).toMatch(
      /^012345678\n\[… .* …\]\n.*abcdefghi$/,
    );
    expect(collect(["012345678😀", "x".repeat(50), "😀abcdefghi"], limits).kept.isWellFormed()).toBe(true);
  });

  it("says when the limit is passed", () => {
    expect([collect(["x".repeat(100)], limits).isOver, collect(["x".repeat(101)], limits).isOver]).toEqual([
      false,
      true,
    ]);
  });
});
