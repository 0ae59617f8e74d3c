// The answer to a question: one of the choices, or words of one's own. Lies beside the features because the transcript, the
// inspector and the inbox all ask it.

import { useState } from "react";

import type { ApprovalId } from "../../shared/contract/ids.ts";
import { Key } from "../ui/Key.tsx";
import { isModEnter, modEnter } from "../ui/modKey.ts";
import type { Act } from "./useAct.ts";

export interface AnswerFormProps {
  readonly approval: ApprovalId;
  readonly choices: readonly string[];
  readonly work: Act;
}

export function AnswerForm({ approval, choices, work: { act, isBusy } }: AnswerFormProps) {
  const [text, setText] = useState("");
  function answer(value: string): void {
    if (value.trim() !== "") void act({ type: "answer", approval, value: value.trim(), resumes: true });
  }
  return (
    <form
      className="answer"
      onSubmit={(event) => {
        event.preventDefault();
        answer(text);
      }}
    >
      {choices.length > 0 && (
        <div className="answer-choices" role="group" aria-label="Answers to choose from">
          {choices.map((choice) => (
            <button key={choice} type="button" className="btn" disabled={isBusy} onClick={() => answer(choice)}>
              {choice}
            </button>
          ))}
        </div>
      )}
      <div className="answer-own">
        <textarea
          aria-label="Your answer"
          rows={1}
          maxLength={100_000}
          placeholder={choices.length > 0 ? "Or in your own words" : "Your answer"}
          value={text}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!isModEnter(event)) return;
            event.preventDefault();
            answer(text);
          }}
        />
        <button type="submit" className="btn main" disabled={isBusy || text.trim() === ""}>
          Answer <Key name={modEnter} />
        </button>
      </div>
    </form>
  );
}
