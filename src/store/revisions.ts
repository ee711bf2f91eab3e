import type { Inhibition } from "../alerts/mutes.ts";
import { contentRevision } from "./content-revision.ts";

/** The revisions of resources: of each what editors can change, and nothing that changes by itself. */

type Inhibiting = Pick<Inhibition, "source" | "target" | "equal">;

export const inhibitionRevision = ({ source, target, equal }: Inhibiting) =>
  contentRevision({ source, target, equal });
