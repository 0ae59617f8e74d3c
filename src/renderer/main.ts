// Where the page starts: finds the application, then draws.

import { StrictMode, createElement } from "react";
import { createRoot } from "react-dom/client";

import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/dialog.css";
import "./styles/rail.css";
import "./styles/agents.css";
import "./styles/run.css";
import "./styles/graph.css";
import "./styles/cards.css";
import "./styles/tree.css";
import "./styles/timeline.css";
import "./styles/inspector.css";
import "./styles/notepad.css";
import "./styles/output.css";
import "./styles/inbox.css";
import "./styles/talk.css";
import "./styles/review.css";
import "./styles/diff.css";
import "./styles/decide.css";
import "./styles/compose.css";
import "./styles/palette.css";
import "./styles/settings.css";
import "./styles/compare.css";
import "./styles/search.css";
import "./styles/welcome.css";

import { App } from "./app/App.tsx";
import { createClient } from "./client/Client.tsx";
import { openBridge } from "./client/openBridge.ts";

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no element #root.");
createRoot(root).render(
  createElement(StrictMode, null, createElement(App, { client: createClient(openBridge(window)) })),
);
