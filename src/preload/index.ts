// Runs in the sandboxed window before the page does: puts the bridge where the page finds it.

import { contextBridge, ipcRenderer } from "electron";

import { createBridge } from "./bridge.ts";

contextBridge.exposeInMainWorld("workbench", createBridge(ipcRenderer));
