// What commands of agents begin with: the environment of the app, over it that of the login shell where it was asked, and a
// PATH that the person has set above both.

import type { CommandEnvironment, LoginEnvironment } from "../engine/ports/command.ts";

/** `login`: `null` where a shell has started the app, whose environment is whole then. `path`: as the settings have it. */
export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  login: LoginEnvironment | null,
  path: string | null,
): CommandEnvironment {
  const variables = { ...own, ...login?.variables };
  const problem = login?.problem ?? null;
  if (path !== null) return { variables: { ...variables, PATH: path }, from: "settings", problem };
  return { variables, from: login?.variables ? "login" : "app", problem };
}
