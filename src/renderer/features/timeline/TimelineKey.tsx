// What the signs of the timeline mean.

export function TimelineKey() {
  return (
    <span className="time-key" aria-hidden="true">
      <span>
        <svg width="22" height="10">
          <path className="key-bar" d="M0 1h12v8H0zM13.4 1h8v8h-8z" />
        </svg>
        turn
      </span>
      <span>
        <svg width="8" height="10">
          <path className="key-tick" d="M1.5 3v5M4.5 3v5M7 3v5" />
        </svg>
        tool call
      </span>
      <span>
        <svg width="25" height="10">
          <path className="key-hollow" d="M.5 1.5h9v7h-9zM13.5 1.5h10v7h-10zM16 2v6M18.5 2v6M21 2v6" />
        </svg>
        set-up, checks
      </span>
      <span>
        <svg width="20" height="10">
          <path className="key-hatch" d="M.5 1.5h19v7H.5z" />
          <path className="key-hatch-lines" d="M2 8 7 2M7 8l5-6M12 8l5-6M16 8l3-3.6" />
        </svg>
        waits for you
      </span>
      <span>
        <svg width="20" height="10">
          <path className="key-queue" d="M0 5.5h20" />
        </svg>
        queued
      </span>
    </span>
  );
}
