import { ownText } from "../texts/own-text.ts";
import { t } from "../texts/texts.ts";

interface Actor {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** The name of an actor, or else its id, or its kind. */
export const actorName = ({ kind, id, name }: Actor): string => name || id || actorKindText(kind);

/** Later versions may add kinds. */
export const actorKindText = (kind: string): string =>
  ownText(t.audit.actorKinds, kind) ?? kind.replaceAll("_", " ");
