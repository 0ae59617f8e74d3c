// What the system tells of while the window is not in front, and when it keeps quiet. The desktop application sends them.

import { SettingRow, Toggle } from "./SettingFields.tsx";
import type { PartProps } from "./part.ts";

export function NotificationsPart({ settings, change }: PartProps) {
  const { notifications } = settings;
  const { quietHours } = notifications;
  const set = (changes: Partial<typeof notifications>) =>
    void change({ notifications: { ...notifications, ...changes } });
  return (
    <>
      <p className="quiet">
        The desktop application notifies while its window is not in front; a click leads to the exact place. A browser’s
        page shows what waits in its title.
      </p>
      <Toggle
        label="Something needs me"
        note="A review, a question, a command that waits."
        isOn={notifications.needsYou}
        onChange={(needsYou) => set({ needsYou })}
      />
      <Toggle
        label="A run is over"
        note="It has answered, failed or stopped."
        isOn={notifications.finished}
        onChange={(finished) => set({ finished })}
      />
      <Toggle
        label="Quiet hours"
        note="Nothing is shown between these times; what waits still counts in the list."
        isOn={quietHours !== null}
        onChange={(isOn) => set({ quietHours: isOn ? { from: "22:00", to: "07:00" } : null })}
      />
      {quietHours !== null && (
        <div className="setting-pair">
          <SettingRow label="From">
            {(id) => (
              <input
                id={id}
                type="time"
                value={quietHours.from}
                onChange={(event) => {
                  const from = event.currentTarget.value;
                  if (from !== "") set({ quietHours: { ...quietHours, from } });
                }}
              />
            )}
          </SettingRow>
          <SettingRow label="Until">
            {(id) => (
              <input
                id={id}
                type="time"
                value={quietHours.to}
                onChange={(event) => {
                  const to = event.currentTarget.value;
                  if (to !== "") set({ quietHours: { ...quietHours, to } });
                }}
              />
            )}
          </SettingRow>
        </div>
      )}
    </>
  );
}
