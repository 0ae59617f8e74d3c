// Figures and times as the workbench writes them: short, units in words or letters, never more digits than matter.

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const clock = inWords({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = inWords({ day: "numeric", month: "short" });
const dayOfYear = inWords({ day: "numeric", month: "short", year: "numeric" });
const moment = inWords({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Made at its first use: each costs some ms, and the first paint needs hardly any. */
function inWords(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let format: Intl.DateTimeFormat | null = null;
  return (at) => (format ??= new Intl.DateTimeFormat("en-GB", options)).format(at);
}

/** `14:02:31`. */
export function formatTime(at: number): string {
  return clock(at);
}

/** `27 Nov, 14:02`. */
export function formatMoment(at: number): string {
  return moment(at);
}

/** How long ago, in its largest unit: `55 s`, `8 m`, `3 h`, then `yesterday`, `27 Nov`, `27 Nov 2025`. */
export function formatAge(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age < minuteMs) return `${Math.floor(age / secondMs)} s`;
  if (age < hourMs) return `${Math.floor(age / minuteMs)} m`;
  const days = daysBetween(at, now);
  if (days === 0) return `${Math.floor(age / hourMs)} h`;
  if (days === 1) return "yesterday";
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? day(at) : dayOfYear(at);
}

/** `0.4 s`, `48 s`, `3 m 13 s`, `2 h 05 m`. */
export function formatDuration(ms: number): string {
  if (ms < 10 * secondMs) return `${(Math.max(0, ms) / secondMs).toFixed(1)} s`;
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} m ${pad(Math.floor((ms % minuteMs) / secondMs))} s`;
  return `${Math.floor(ms / hourMs)} h ${pad(Math.floor((ms % hourMs) / minuteMs))} m`;
}

/** A time that somebody set: `30 m`, `1 h 30 m`, without parts that are nothing. */
export function formatLimit(ms: number): string {
  return formatDuration(ms).replace(/ 00 [ms]$/, "");
}

/** `812`, `8.0 k`, `214 k`, `1.21 M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 99_950) return `${(count / 1_000).toFixed(count < 9_950 ? 1 : 0)} k`;
  if (count < 999_500) return `${Math.round(count / 1_000)} k`;
  return `${(count / 1_000_000).toFixed(2)} M`;
}

/** `$1.84`; `$0.0042` where two digits would read as nothing. */
export function formatMoney(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** `1 step`, `2 steps`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The last part of a path: what people call a folder. The whole of one that has no parts. */
export function folderName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

/** When the day of `at` began here, epoch ms: local midnight. */
export function midnightOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function daysBetween(at: number, now: number): number {
  return Math.round((midnightOf(now) - midnightOf(at)) / (24 * hourMs));
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** `812 bytes`, `4.1 MiB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1_024 ** step).toFixed(1)} ${units[step]}`;
}
