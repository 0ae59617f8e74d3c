// A value that changes often, for what need not follow every change.

import { useEffect, useRef, useState } from "react";

/** `value` as of at most `everyMs` ago; the newest always arrives. */
export function useThrottled<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const shownAt = useRef(0);
  useEffect(() => {
    if (Object.is(shown, value)) return undefined;
    const timer = setTimeout(
      () => {
        shownAt.current = Date.now();
        setShown(value);
      },
      Math.max(0, shownAt.current + everyMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [shown, value, everyMs]);
  return shown;
}
