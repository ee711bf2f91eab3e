import { type Explanation, explainPolicy, type PolicyContent } from "../../api/policies.ts";

/** A recipient or a past message to try, with the stored and the unsaved policy. */
export interface Trial {
  /** Address of a recipient, or id of a message. */
  readonly target: string;
  readonly isLookedUp: boolean;
  /** Name of the stored policy; undefined if there is none. */
  readonly stored: string | undefined;
  /** Without passwords: an explanation needs none. Undefined if nothing is unsaved. */
  readonly unsaved: { readonly name: string; readonly content: PolicyContent } | undefined;
}

export interface Tried {
  readonly stored: Explanation | undefined;
  readonly unsaved: Explanation | undefined;
  /** For a past message: the answer for its own policy, and its last attempt. */
  readonly ofMessage: Explanation | undefined;
}

/** The unsaved policy needs a name, which only decides about suppressions of a single policy. */
const NAMELESS = "unsaved";

/** Asks the server for the answers of both policies to one recipient. Nothing is stored. */
export async function tryPolicy({ target, isLookedUp: look_up, stored, unsaved }: Trial): Promise<Tried> {
  const ofMessage = target.includes("@") ? undefined : await explainPolicy({ message_id: target, look_up });
  const recipient = ofMessage?.recipient ?? target;
  const [ofStored, ofUnsaved] = await Promise.all([
    ofMessage !== undefined && ofMessage.policy === stored
      ? ofMessage
      : stored === undefined
        ? undefined
        : explainPolicy({ recipient, policy_name: stored, look_up }),
    unsaved &&
      explainPolicy({
        recipient,
        policy: { ...unsaved.content, name: unsaved.name || NAMELESS },
        look_up,
      }),
  ]);
  return { stored: ofStored, unsaved: ofUnsaved, ofMessage };
}
