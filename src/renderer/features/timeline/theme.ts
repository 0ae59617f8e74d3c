// The colours, font and measures of a canvas, read from the custom properties of the page. Holds no colour of its own.

const colourNames = [
  "paper",
  "ground",
  "chosen",
  "ink-2",
  "ink-3",
  "line",
  "line-strong",
  "edge",
  "leaf-fill",
  "you",
  "you-fill",
  "you-tint",
  "you-line",
  "fail",
  "fail-fill",
  "role-lead",
] as const;
const roleNames = ["lead", "explorer", "reviewer", "planner", "verifier", "executor"] as const;

export interface Theme {
  readonly colours: Readonly<Record<(typeof colourNames)[number], string>>;
  /** The fill of a role's bars; a role without a hue of its own has the explorer's. */
  readonly barOf: (role: string) => string;
  readonly font: string;
  readonly strongFont: string;
  readonly axisHeight: number;
  readonly laneHeight: number;
  readonly leadHeight: number;
}

/** Reads the theme as it applies to `element`. `light-dark()` is resolved by the browser: each name is tried on as a colour. */
export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement("i");
  probe.style.display = "none";
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const length = (name: string): number => Number.parseFloat(style.getPropertyValue(name)) || 0;
  probe.style.fontFamily = "var(--font-ui)";
  const family = style.fontFamily;
  const bars = new Map(roleNames.map((role) => [role as string, colour(`bar-${role}`)]));
  const theme: Theme = {
    colours: Object.fromEntries(colourNames.map((name) => [name, colour(name)])) as Theme["colours"],
    barOf: (role) => bars.get(role) ?? bars.get("explorer") ?? "",
    font: `420 11px ${family}`,
    strongFont: `620 11px ${family}`,
    axisHeight: 20,
    laneHeight: length("--h-lane"),
    leadHeight: length("--h-lane-lead"),
  };
  probe.remove();
  return theme;
}

/** Calls `changed` whenever the page may look otherwise: system theme, contrast, system colours, window height, or the root's own attributes. */
export function watchTheme(changed: () => void): () => void {
  const listening = new AbortController();
  for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", changed, { signal: listening.signal });
  addEventListener("resize", changed, { signal: listening.signal });
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  void document.fonts.ready.then(changed);
  return () => {
    listening.abort();
    observer.disconnect();
  };
}

/** Slanted lines over a ground, for what waits for a person. `ratio` is device px per px. */
export function hatchPattern(
  context: CanvasRenderingContext2D,
  ratio: number,
  line: string,
  width: number,
  ground: string | null,
): CanvasPattern | string {
  const name = [ratio, line, width, ground].join(" ");
  const tile = tiles.get(name) ?? drawTile(ratio, line, width, ground);
  tiles.set(name, tile);
  const pattern = context.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(tileSize / tile.width));
  return pattern ?? line;
}

/** Px that a hatch repeats itself by. */
const tileSize = 6;

/** One for each colour and screen: a canvas costs more than all that is painted with it. */
const tiles = new Map<string, HTMLCanvasElement>();

function drawTile(ratio: number, line: string, width: number, ground: string | null): HTMLCanvasElement {
  const size = tileSize;
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(size * ratio);
  const pen = tile.getContext("2d");
  if (pen === null) return tile;
  pen.scale(tile.width / size, tile.height / size);
  if (ground !== null) {
    pen.fillStyle = ground;
    pen.fillRect(0, 0, size, size);
  }
  pen.strokeStyle = line;
  pen.lineWidth = width;
  pen.beginPath();
  // Over the corners too, so that tiles join.
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return tile;
}
