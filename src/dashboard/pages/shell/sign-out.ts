import { hasEnded, home } from "../../api/client.ts";
import { signOut } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";

/** Ends the session in all tabs, and opens the sign-in page. */
export async function signOutHere(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    // A session that has already ended needs no request.
    if (!hasEnded(error)) return notifyProblem(error as Error);
  }
  announceSession(undefined);
  // No loaded data stays in memory.
  window.location.assign(`${home}/dashboard/sign-in`);
}
