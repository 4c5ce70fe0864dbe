// Asks again and again while the page is seen, one question at a time.

import { useEffect, useRef } from "preact/hooks";

export function usePoll(everyMs: number, isOn: boolean, ask: () => Promise<void>): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!isOn) return undefined;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = async () => {
      if (!document.hidden) await latest.current().catch(() => undefined);
      if (!over) timer = setTimeout(() => void step(), everyMs);
    };
    void step();
    return () => { over = true; clearTimeout(timer); };
  }, [everyMs, isOn]);
}
