import { expect, test } from "vitest";

import { commandEnvironment } from "./commandEnvironment.ts";

const own = { PATH: "/usr/bin:/bin", LANG: "C", HOME: "/home/ada" };
const login = { variables: { PATH: "/opt/node/bin:/usr/bin:/bin", NVM_DIR: "/home/ada/.nvm" }, problem: null };
const slow = {
  variables: null,
  problem: "/bin/zsh did not get through its start-up files within 10 s, and was ended.",
};

test("[D13] commands begin with the login shell's environment over the app's, and with the PATH that was set over both", () => {
  expect([
    commandEnvironment(own, null, null),
    commandEnvironment(own, login, null),
    commandEnvironment(own, slow, null),
    commandEnvironment(own, login, "/only/this"),
  ]).toEqual([
    { variables: own, from: "app", problem: null },
    { variables: { ...own, ...login.variables }, from: "login", problem: null },
    { variables: own, from: "app", problem: slow.problem },
    { variables: { ...own, ...login.variables, PATH: "/only/this" }, from: "settings", problem: null },
  ]);
});
