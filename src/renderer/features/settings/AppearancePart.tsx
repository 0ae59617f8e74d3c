// How the window looks: colours and motion.

import { Choices } from "../../ui/Choices.tsx";
import type { PartProps } from "./part.ts";

export function AppearancePart({ settings, change }: PartProps) {
  const { appearance } = settings;
  return (
    <>
      <Choices
        label="Colours"
        options={[
          ["system", "As the system", "light by day, dark by night, as set there"],
          ["light", "Light", "always"],
          ["dark", "Dark", "always"],
        ]}
        chosen={appearance.theme}
        onChoose={(theme) => void change({ appearance: { ...appearance, theme } })}
      />
      <Choices
        label="Motion"
        options={[
          ["system", "As the system", "as set there"],
          ["reduced", "Reduced", "nothing moves by itself"],
        ]}
        chosen={appearance.motion}
        onChoose={(motion) => void change({ appearance: { ...appearance, motion } })}
      />
    </>
  );
}
