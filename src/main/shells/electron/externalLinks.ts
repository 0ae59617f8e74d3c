// Addresses that may be shown in the person's browser. Links are written by models: nothing but http and https leaves, and
// only after the person has seen where it leads.

import type { MessageBoxOptions } from "electron";

import { fail, type Result, succeed } from "../../../shared/lib/result.ts";

const maxShownChars = 300;

/** The address as it would really be opened: its host in ASCII, so that look-alike letters show. Code `BAD_USAGE`. */
export function checkExternal(text: string): Result<URL> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.hostname === "")
    return fail({ code: "BAD_USAGE", message: "Only http and https addresses are opened outside of Coppice." });
  if (url.username !== "" || url.password !== "")
    return fail({
      code: "BAD_USAGE",
      message: "The address hides its host behind a user name or carries a password; it was not opened.",
    });
  return succeed(url);
}

export const openButton = 1;

/** Asks before an address is opened; the first button, and Escape, leave it closed. */
export function askToOpen({ hostname, href }: URL): MessageBoxOptions {
  const shown = href.length > maxShownChars ? `${href.slice(0, maxShownChars)}… (${href.length} characters)` : href;
  return {
    type: "question",
    message: `Open ${hostname} in your browser?`,
    detail: `${shown}\n\nAn agent may have written this link. What stands in it is sent to ${hostname}.`,
    buttons: ["Cancel", "Open Link"],
    defaultId: 0,
    cancelId: 0,
    checkboxLabel: `Do not ask again for ${hostname} until Coppice quits`,
    noLink: true,
  };
}
