// The check of this visit for components.

import { useEffect, useState } from 'preact/hooks';
import { type Session, verifySession, watchSession } from './session.ts';

export function useSession(): Session {
  const [session, setSession] = useState(verifySession);
  useEffect(() => watchSession(setSession), []);
  return session;
}
