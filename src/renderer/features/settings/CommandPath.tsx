// Where commands of agents find their programs: folder by folder, whose PATH that is, and another one in its place.

import { useId } from "react";

import { usePage } from "../../client/Client.tsx";
import type { CareBodies } from "../../../shared/contract/care.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Patterns } from "./Patterns.tsx";
import { TextField } from "./SettingFields.tsx";
import type { PartProps } from "./part.ts";

const sources: Readonly<Record<CareBodies["commandPath"]["from"], string>> = {
  app: "As Coppice was started with.",
  login: "From your login shell, which was asked when Coppice started.",
  settings: "As set here.",
};

export function CommandPath({ settings, snapshot, change }: PartProps) {
  const id = useId();
  const { body, failure } = usePage({ kind: "commandPath" }, snapshot.version);
  return (
    <section aria-label="Where commands find programs">
      <h3>Where commands find programs</h3>
      {failure !== null && <Notice title="The PATH could not be read" message={failure.message} code={failure.code} />}
      {body !== null && (
        <>
          <p className="faint small">
            {sources[body.from]} {body.problem}
          </p>
          <Patterns patterns={body.folders} />
        </>
      )}
      <div className="setting wide">
        <label htmlFor={id}>Another PATH</label>
        <TextField
          id={id}
          isCode
          value={settings.environment.path ?? ""}
          placeholder={body?.from === "settings" ? "" : (body?.folders.join(":") ?? "")}
          onCommit={(path) => void change({ environment: { path: path === "" ? null : path } })}
        />
        <p className="faint small">Absolute folders with colons between them. Empty: the one above.</p>
      </div>
    </section>
  );
}
