// How much is tried. The gate takes samples of what has no end; COPPICE_TESTS=all takes more of them, and the dear variants
// of what another test of the gate holds in its plain form.

/** Whether everything is asked for. */
export const isThorough = process.env["COPPICE_TESTS"] === "all";

/** `all` of something when everything is asked for, else the part that the gate tries. */
export function sampleOf(all: number, part: number): number {
  return isThorough ? all : part;
}
