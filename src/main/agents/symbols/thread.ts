// The symbols thread at work: takes batches of paths, answers with facts. It keeps nothing of one file for the next.

import type { MessagePort } from "node:worker_threads";
import type { BatchAnswer, FileFacts, FileStatus, Question, ThreadSetup } from "./facts.ts";
import { createGrammars, type Grammars } from "./grammars.ts";
import { inspectFile } from "./inspect.ts";
import { languageOf } from "./languages.ts";
import { readSource } from "./source.ts";

/** One file that grammars find hard, such as a bundle or a broken one, must not cost all the others their answer. */
const maxReadMs = 2000;

/** Answers each batch in turn until the thread is ended from outside. Rejects, and so ends the thread, when a grammar cannot be loaded. */
export async function serveBatches(port: MessagePort, setup: ThreadSetup): Promise<void> {
  const grammars = await createGrammars();
  const answerBatch = async ({ files }: { readonly files: readonly string[] }): Promise<void> => {
    const facts: FileFacts[] = [];
    for (const path of files) {
      const fact = await answerFile(path, setup, grammars);
      if (fact !== null) facts.push(fact);
    }
    port.postMessage({ files: facts, silentCount: files.length - facts.length } satisfies BatchAnswer);
  };
  // One after the other, as they come; a failed one is thrown, which ends the thread and is heard as its `error`.
  port.on("message", (batch: { readonly files: readonly string[] }) => void answerBatch(batch));
}

/** `null`: read, and it has nothing to tell. */
async function answerFile(path: string, setup: ThreadSetup, grammars: Grammars): Promise<FileFacts | null> {
  const { question } = setup;
  const language = languageOf(path);
  if (language === null && question.kind === "outline") return bareFacts(path, "unsupported", false);
  const source = readSource(setup.root, path, setup.maxFileBytes);
  if (source.kind !== "text") return bareFacts(path, language === null ? "unsupported" : source.kind, false);
  const { text } = source;
  if (!mayHold(text, question)) return language === null ? bareFacts(path, "unsupported", false) : null;
  if (language === null) return bareFacts(path, "unsupported", true);
  const { parse, query } = await grammars.open(language);
  const tree = parse(text, maxReadMs);
  if (tree === null) return bareFacts(path, "slow", true);
  try {
    const facts = inspectFile(path, text, tree, query(question.kind), language, question, maxReadMs);
    if (facts === null) return bareFacts(path, "slow", true);
    const isSilent = facts.symbols.length + facts.definitions.length + facts.uses.length === 0;
    return isSilent && facts.status === "clean" ? null : facts;
  } finally {
    tree.delete();
  }
}

/** A name that a file does not hold as text, it does not hold as a symbol: such a file need not be parsed. */
function mayHold(text: string, question: Question): boolean {
  if (question.kind === "explore") return text.includes(question.name);
  if (question.words.length === 0) return true;
  const lower = text.toLowerCase();
  return question.words.every((word) => lower.includes(word));
}

function bareFacts(path: string, status: FileStatus, holdsName: boolean): FileFacts {
  return { path, status, family: null, holdsName, package: null, symbols: [], definitions: [], uses: [] };
}
