// What was done, lane by lane: bars, ticks, hatches and diamonds. Draws only what is in sight, one rectangle a pixel column at most.

import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import { emitBars, emitTicks } from "./columns.ts";
import { laneY } from "./hit.ts";
import { haveRoom, labelOffset } from "./labels.ts";
import type { Bars, Lane, Mark } from "./lanes.ts";
import { below, line } from "./paintGround.ts";
import { paintMark } from "./paintMark.ts";
import { timeOf, xOf } from "./scale.ts";
import { lanesInSight } from "./scene.ts";
import type { Pen, Scene } from "./scene.ts";
import { hatchPattern } from "./theme.ts";
import { shortenWait } from "./words.ts";

/** Half a bar's height. */
const half = 4;
const halfLead = 4.5;
/** Between two bars that can be told apart. */
const barGap = 1.4;

export function paintLanes(pen: Pen, scene: Scene): void {
  const brush = new Brush(pen, scene);
  const [first, end] = lanesInSight(scene);
  below(pen, scene, () => {
    for (let index = first; index < end; index += 1) brush.lane(index);
  });
  brush.lane(0);
}

/** One lane after another with what they share: the moments in sight and the hatches. */
class Brush {
  readonly #pen: Pen;
  readonly #scene: Scene;
  readonly #from: number;
  readonly #until: number;
  readonly #openHatch: CanvasPattern | string;
  readonly #pastHatch: CanvasPattern | string;

  constructor(pen: Pen, scene: Scene) {
    const { scale, offset, width, theme, ratio } = scene;
    const { colours } = theme;
    this.#pen = pen;
    this.#scene = scene;
    this.#from = timeOf(scale, offset - 20);
    this.#until = timeOf(scale, offset + width + 20);
    this.#openHatch = hatchPattern(pen, ratio, colours["you-fill"], 2.4, colours["you-tint"]);
    this.#pastHatch = hatchPattern(pen, ratio, colours["you-line"], 1.2, null);
  }

  lane(index: number): void {
    const { lanes, rows } = this.#scene;
    const lane = lanes[index];
    if (lane === undefined) return;
    const y = Math.round(laneY(rows, index));
    const height = index === 0 ? halfLead : half;
    if (index === 0) this.#leadLine(lane, y);
    this.#queued(lane, y);
    this.#setup(lane, y, height);
    this.#asks(lane, y, height);
    this.#turns(lane, y, height);
    this.#ticks(lane, y, height);
    this.#checks(lane, y, height);
    this.#end(lane, y);
    this.#marks(lane, y);
  }

  #x(time: number): number {
    return xOf(this.#scene.scale, Math.min(time, this.#scene.scale.extent.until)) - this.#scene.offset;
  }

  #bars(
    bars: Bars,
    draw: (left: number, right: number, item: TimelineItem | undefined, isOpen: boolean) => void,
  ): void {
    const { scale, offset } = this.#scene;
    emitBars(bars, scale, this.#from, this.#until, (left, right, index) =>
      draw(left - offset, right - offset, bars.items[index], bars.ends[index] === Infinity),
    );
  }

  /** Between its turns the lead waits for others. */
  #leadLine(lane: Lane, y: number): void {
    const from = lane.turns.starts[0];
    if (from === undefined) return;
    this.#pen.strokeStyle = this.#scene.theme.colours.edge;
    this.#pen.lineWidth = 1;
    line(this.#pen, this.#x(from), y + 0.5, this.#x(Math.min(lane.endedAt, this.#scene.scale.extent.until)), y + 0.5);
  }

  #queued({ queued }: Lane, y: number): void {
    const pen = this.#pen;
    const { colours, font } = this.#scene.theme;
    pen.strokeStyle = colours["ink-3"];
    pen.lineWidth = 1;
    this.#bars(queued, (left, right, item) => {
      pen.setLineDash([2, 2]);
      line(pen, left + 5, y + 0.5, right, y + 0.5);
      pen.setLineDash([]);
      const words = shortenWait(item?.label ?? "");
      pen.font = font;
      if (right - left > pen.measureText(words).width + 40)
        this.#words(words, Math.max(left, 0) + 24, y, "left", colours["ink-2"]);
    });
  }

  #setup({ setup, role }: Lane, y: number, height: number): void {
    if (setup === null || setup.from > this.#until || setup.until < this.#from) return;
    const [left, right] = [this.#x(setup.from) + 2, this.#x(setup.until) - 1];
    if (right - left < 2) return;
    this.#hollow(left, right, y, height, role);
  }

  #hollow(left: number, right: number, y: number, height: number, role: string): void {
    const { theme } = this.#scene;
    this.#pen.fillStyle = theme.colours.paper;
    this.#pen.strokeStyle = theme.barOf(role);
    this.#pen.lineWidth = 1;
    this.#pen.beginPath();
    this.#pen.roundRect(left + 0.5, y - height + 0.5, Math.max(1, right - left - 1), 2 * height - 1, 1.2);
    this.#pen.fill();
    this.#pen.stroke();
  }

  #asks({ asks }: Lane, y: number, height: number): void {
    const pen = this.#pen;
    const { colours } = this.#scene.theme;
    this.#bars(asks, (left, right, _, isOpen) => {
      pen.fillStyle = isOpen ? this.#openHatch : this.#pastHatch;
      pen.strokeStyle = isOpen ? colours["you-fill"] : colours["you-line"];
      pen.lineWidth = isOpen ? 1 : 0.75;
      pen.beginPath();
      pen.rect(left + 0.5, y - height + 0.5, Math.max(1, right - left - 1), 2 * height - 1);
      pen.fill();
      pen.stroke();
    });
  }

  #turns({ turns, role }: Lane, y: number, height: number): void {
    const pen = this.#pen;
    const { theme } = this.#scene;
    const growing: (readonly [number, number])[] = [];
    pen.fillStyle = theme.barOf(role);
    this.#bars(turns, (left, right, _, isOpen) => {
      if (isOpen) growing.push([left, right]);
      else bar(pen, left, Math.max(left + 1.2, right - barGap), y, height);
    });
    pen.fillStyle = theme.colours["leaf-fill"];
    for (const [left, right] of growing) bar(pen, left, Math.max(left + 2, right), y, height);
  }

  #ticks({ calls, failedCalls }: Lane, y: number, height: number): void {
    const { theme } = this.#scene;
    this.#pen.fillStyle = theme.colours["ink-3"];
    this.#runs(calls, 1, y - height - 4, 3);
    this.#pen.fillStyle = theme.colours["fail-fill"];
    this.#runs(failedCalls, 1.6, y - height - 5, 2 * height + 5);
  }

  /** Ticks that stand side by side are one rectangle: a dense lane would be thousands. */
  #runs(bars: Bars, width: number, top: number, length: number): void {
    const { scale, offset, ratio } = this.#scene;
    const column = 1 / Math.max(1, ratio);
    let [from, to] = [NaN, NaN];
    const flush = (): void => {
      if (to >= from) this.#pen.fillRect(Math.round((from - offset) * ratio) / ratio, top, to - from + width, length);
    };
    emitTicks(bars, scale, this.#from, this.#until, column, (x) => {
      if (x - to > column * 1.5 || Number.isNaN(to)) {
        flush();
        from = x;
      }
      to = x;
    });
    flush();
  }

  #checks({ checks, role }: Lane, y: number, height: number): void {
    const pen = this.#pen;
    this.#bars(checks, (left, right, item) => {
      const end = Math.max(left + 3, right);
      this.#hollow(left, end, y, height, role);
      if (item?.isFailure === true) pen.strokeStyle = this.#scene.theme.colours["fail-fill"];
      pen.beginPath();
      for (let x = left + 4; x < end - 2; x += 4) {
        pen.moveTo(x, y - height + 1);
        pen.lineTo(x, y + height - 1);
      }
      pen.stroke();
    });
  }

  /** A finished reader has no mark of its own: a dot ends its lane. */
  #end({ hasCompleted, endedAt, marks, role }: Lane, y: number): void {
    if (!hasCompleted || endedAt > this.#until || marks.some(({ kind }) => kind === "landed")) return;
    this.#pen.fillStyle = this.#scene.theme.barOf(role);
    this.#pen.beginPath();
    this.#pen.arc(this.#x(endedAt) + 4, y, 2.2, 0, 2 * Math.PI);
    this.#pen.fill();
  }

  #marks(lane: Lane, y: number): void {
    const { font, colours } = this.#scene.theme;
    const shown = this.#inSight(lane.marks);
    this.#pen.font = font;
    const rooms = haveRoom(
      shown.map(({ mark, x, words }) =>
        words === ""
          ? { x, width: 0, bar: Infinity }
          : { x, width: this.#pen.measureText(words).width, bar: this.#barAfter(lane, mark.at) },
      ),
    );
    shown.forEach(({ mark, x, words }, index) => {
      paintMark(this.#pen, this.#scene.theme, mark, x, y);
      if (rooms[index] === true)
        this.#words(words, x + labelOffset, y, "left", colours[mark.kind === "failed" ? "fail" : "ink-2"]);
    });
  }

  /** Where the first of its bars begins that goes on after `at`, px. */
  #barAfter({ turns, asks, checks }: Lane, at: number): number {
    const starts = [turns, asks, checks].map((bars) => bars.starts[bars.ends.findIndex((end) => end > at)] ?? Infinity);
    const start = Math.min(...starts);
    return start > this.#until ? Infinity : this.#x(start);
  }

  /** A mark that hides another says no more than the first; an open one is never left out. */
  #inSight(marks: readonly Mark[]): readonly { readonly mark: Mark; readonly x: number; readonly words: string }[] {
    let last = -Infinity;
    return marks.flatMap((mark) => {
      if (mark.at < this.#from || mark.at > this.#until) return [];
      const x = this.#x(mark.at);
      if (x - last < 3 && !mark.isOpen) return [];
      last = x;
      return [{ mark, x, words: markWords(mark) }];
    });
  }

  #words(words: string, x: number, y: number, align: "left" | "right", colour: string): void {
    const pen = this.#pen;
    const { theme, width, scale, offset } = this.#scene;
    pen.font = theme.font;
    const end = x + pen.measureText(words).width;
    // Cut words say less than none.
    if (end > Math.min(width, xOf(scale, scale.extent.until) - offset)) return;
    pen.textAlign = align;
    pen.lineJoin = "round";
    pen.strokeStyle = theme.colours.paper;
    pen.lineWidth = 4;
    pen.strokeText(words, x, y + 4);
    pen.fillStyle = colour;
    pen.fillText(words, x, y + 4);
  }
}

/** Corners are rounded where one can see them. */
function bar(pen: Pen, left: number, right: number, y: number, height: number): void {
  if (right - left < 5) return pen.fillRect(left, y - height, right - left, 2 * height);
  pen.beginPath();
  pen.roundRect(left, y - height, right - left, 2 * height, 1.2);
  return pen.fill();
}

/** A mark says its words where they are short enough to stand in the lane. */
function markWords({ kind, item }: Mark): string {
  if (kind !== "failed" && kind !== "landed") return "";
  // Of `a91c03e on main` the commit: the branch is the run's own in every lane.
  const words = kind === "landed" ? (item.outcome?.split(" ")[0] ?? "") : item.label;
  return words.length <= 26 ? words : `${words.slice(0, 25)}…`;
}
