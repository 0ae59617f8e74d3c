// Checks source files against the house: who may import whom (scripts/boundaries.ts), purity, names, shape.
// Works on texts in memory, so that a violation can be planted without touching the tree.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

import { parseSync } from "vite";

import { confinedPackages, findRoom, isAt, processDoors } from "../../scripts/boundaries.ts";
import type { Room } from "../../scripts/boundaries.ts";

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const codePattern = /\.tsx?$/;
const testPattern = /\.test\.tsx?$/;
const linesLimit = 500;
const headerLimit = 4;
const worldlyCalls = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch"]);

/** Every source file below `folders` of the project at `root`. */
export function readTree(root: string, folders: readonly string[]): SourceFile[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
        .map((entry) => {
          const path = join(entry.parentPath, entry.name);
          return { path: path.slice(root.length + 1).replaceAll("\\", "/"), text: readFileSync(path, "utf8") };
        }),
    );
}

/** One sentence a violation, beginning with the file's path; empty when the house is in order. */
export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const complaints = [...complainOfName(file.path), ...complainOfSize(file.text)];
    // A test's titles say what it is about.
    if (!testPattern.test(file.path)) complaints.push(...complainOfHeader(file.text));
    if (codePattern.test(file.path)) complaints.push(...complainOfCode(file));
    return complaints.map((complaint) => `${file.path}: ${complaint}`);
  });
}

function complainOfName(path: string): string[] {
  const complaints: string[] = [];
  const folders = path.split("/").slice(0, -1);
  const name = path.split("/").at(-1) ?? "";
  for (const folder of folders) {
    if (/^(utils?|helpers?|common|misc)$/.test(folder)) {
      complaints.push(`a folder named ${folder} holds anything; name it after what its files own.`);
    } else if (!/^[a-z][a-z0-9]*$/.test(folder)) complaints.push(`folder ${folder} should be one lower-case word.`);
  }
  const isComponent = name.endsWith(".tsx") && name !== "main.tsx";
  const pattern = isComponent ? /^[A-Z][A-Za-z0-9]*(\.[a-z]+)*\.tsx$/ : /^[a-z0-9][A-Za-z0-9]*(\.[a-z]+)*\.(tsx?|css)$/;
  const wanted = isComponent ? "PascalCase, as a component" : "camelCase";
  if (!pattern.test(name)) complaints.push(`name the file in ${wanted}.`);
  return complaints;
}

function complainOfHeader(text: string): string[] {
  const lines = text.replace(/^#!.*\n/, "").split("\n");
  const header = lines[0]?.startsWith("/*")
    ? lines.findIndex((line) => line.includes("*/")) + 1
    : lines.findIndex((line) => !line.startsWith("//"));
  if (header < 1) return ["open the file with what it owns and what it must never do."];
  return header > headerLimit ? [`the opening comment has ${header} lines; say it in ${headerLimit}.`] : [];
}

function complainOfSize(text: string): string[] {
  const count = text.split("\n").length - 1;
  return count > linesLimit ? [`${count} lines; split it by what each part owns (at most ${linesLimit}).`] : [];
}

function complainOfCode({ path, text }: SourceFile): string[] {
  const program = parseSync(path, text).program as unknown as Node & { readonly body: readonly Node[] };
  const complaints: string[] = [];
  if (isBarrel(program.body)) complaints.push("a barrel hides who owns what; import from the file itself.");
  const isTest = testPattern.test(path) || !path.startsWith("src/");
  const room = findRoom(path);
  if (!room && !isTest)
    return [...complaints, "this folder has no room; add it to scripts/boundaries.ts, or use one that is there."];
  walk(program, (node) => {
    complaints.push(...complainOfShape(path, node));
    if (isTest || !room) return;
    if (room.pure) complaints.push(...complainOfWorld(room, node));
    const specifier = specifierOf(node);
    if (specifier !== undefined) complaints.push(...complainOfImport(path, room, specifier));
  });
  return complaints;
}

function complainOfShape(path: string, node: Node): string[] {
  if (node.type === "TSEnumDeclaration") return ["no enums; use a union of string literals."];
  const mayDefault = path.endsWith(".d.ts") || path.endsWith(".config.ts") || path.endsWith("/globalSetup.ts");
  if (node.type === "ExportDefaultDeclaration" && !mayDefault) return ["no default export; give it a name."];
  return [];
}

function complainOfWorld(room: Room, node: Node): string[] {
  const callee = node["callee"] as Node | undefined;
  const object = node["object"] as Node | undefined;
  const member = `${String(object?.["name"])}.${String((node["property"] as Node | undefined)?.["name"])}`;
  const isDate = callee?.["name"] === "Date" && (node["arguments"] as unknown[]).length === 0;
  const found =
    (node.type === "MemberExpression" &&
      /^(Date\.now|Math\.random|process\.\w+|performance\.\w+|crypto\.\w+)$/.exec(member)?.[0]) ||
    (node.type === "CallExpression" && worldlyCalls.has(String(callee?.["name"])) && String(callee?.["name"])) ||
    (isDate && "new Date()");
  return found ? [`${room.name} must not use ${found}. ${room.instead}`] : [];
}

function complainOfImport(path: string, room: Room, specifier: string): string[] {
  if (specifier.startsWith(".")) return complainOfPath(path, room, specifier);
  if (specifier === "node:child_process" && room.node)
    return processDoors.only.some((at) => isAt(path, at))
      ? []
      : [`no process is started here. ${processDoors.instead}`];
  if (specifier.startsWith("node:"))
    return room.node ? [] : [`${room.name} must not import ${specifier}. ${room.instead}`];
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const confined = confinedPackages[name];
  if (confined && !confined.only.some((at) => isAt(path, at)))
    return [`${name} must not be imported here. ${confined.instead}`];
  if (room.packages === "any" || room.packages.includes(name)) return [];
  return [`${room.name} must not import the package ${name}. ${room.instead}`];
}

function complainOfPath(path: string, room: Room, specifier: string): string[] {
  const target = posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ""));
  const targetRoom = findRoom(target);
  if (!targetRoom) return [`${target} lies in no room; import from src/ only, and read resources at run time.`];
  if (targetRoom !== room && !room.imports.includes(targetRoom.name)) {
    return [`${room.name} must not import ${targetRoom.name} (${target}). ${room.instead}`];
  }
  const targetPart = room.isolated && room === targetRoom ? partOf(target, room) : undefined;
  if (targetPart !== undefined && targetPart !== partOf(path, room)) {
    return [`parts of ${room.name} must not import each other (${target}). ${room.instead}`];
  }
  return /\.(ts|tsx|css|json|md)$/.test(target) ? [] : [`import ${specifier} with its extension.`];
}

/** The subfolder of an isolated room that a file belongs to; none for a file that stands in the room itself, which all parts share. */
function partOf(path: string, room: Room): string | undefined {
  return path
    .slice(room.at[0]?.length ?? 0)
    .split("/")
    .slice(0, -1)[0];
}

function specifierOf(node: Node): string | undefined {
  const source = node["source"] as Node | null | undefined;
  const value = source?.type === "Literal" ? source["value"] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** A file that does nothing but pass on what others export. */
function isBarrel(body: readonly Node[]): boolean {
  const passesOn = (node: Node) =>
    node.type === "ImportDeclaration" ||
    node.type === "ExportAllDeclaration" ||
    (node.type === "ExportNamedDeclaration" && !node["declaration"]);
  return body.every(passesOn) && body.some((node) => node.type !== "ImportDeclaration");
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  else if (typeof node === "object" && node !== null) {
    if ("type" in node && typeof node.type === "string") visit(node as Node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}
