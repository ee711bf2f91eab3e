import type { SignedIn } from "./session.ts";

/** The part of a session that decides its data; undefined without a session. */
type Seen = Pick<SignedIn, "user_id" | "account_id"> | undefined;

const channel = new BroadcastChannel("hermod-session");

/** Reports the current session to the other tabs of this browser, which share its cookie. */
export function announceSession(session: Seen): void {
  channel.postMessage(session && { user_id: session.user_id, account_id: session.account_id });
}

/**
 * Calls back when another tab has changed the session, so that this page shows data of a former one.
 * @returns a function that stops this
 */
export function onOtherSession(shown: NonNullable<Seen>, changed: () => void): () => void {
  const compare = ({ data }: MessageEvent<Seen>) => {
    if (data?.user_id !== shown.user_id || data.account_id !== shown.account_id) changed();
  };
  channel.addEventListener("message", compare);
  return () => channel.removeEventListener("message", compare);
}
