// Focus where what was pressed goes away: "Create a key" takes its card with it, and whoever works by keyboard would begin again
// at the head of the page.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface AfterPress {
  ref: RefObject<HTMLDivElement | null>;
  onClick(): void;
}

/** For the box in which one card takes the place of another when `change` does: its first heading has the focus then, if nothing has. */
export function useFocusAfterPress(change: unknown): AfterPress {
  const ref = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    const heading = ref.current?.querySelector('h2');
    if (wasPressed.current && heading && document.activeElement === document.body) {
      heading.tabIndex = -1;
      heading.focus();
    }
    wasPressed.current = false;
  }, [change]);
  return {
    ref,
    onClick() {
      wasPressed.current = true;
    },
  };
}
