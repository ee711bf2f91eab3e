import { hasEnded, home } from "../../api/client.ts";
import { signOut } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";

/** Ends the session, in every tab, and leads to the sign-in page. */
export async function signOutHere(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    // A session that has ended already needs no end.
    if (!hasEnded(error)) return notifyProblem(error as Error);
  }
  announceSession(undefined);
  // Nothing of what was loaded stays in memory.
  window.location.assign(`${home}/dashboard/sign-in`);
}
