import { z } from "zod";

/** In the answers of every resource that a client can edit. */
export const revision = z.string().meta({
  description:
    "Names the present settings; another one after each change. As `if_revision` of a change it keeps two editors from overwriting one another.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

const given = z.string().min(1).max(100);

/** In the body of every change. */
export const ifRevision = given.optional().meta({
  description:
    "The `revision` that the change is based on: with another present one the answer is 409 with that one, and nothing is changed. Missing: the change is made in any case.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

/** The same where a PUT also creates. */
export const ifRevisionOrNone = given.optional().meta({
  description:
    "The `revision` that the change is based on, or `none`: with another present one the answer is 409 with that one, and nothing is changed. `none`: there must be no resource of this name. Missing: the change is made in any case.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

/** The query of a DELETE, which has no body. */
export const ifRevisionQuery = z.strictObject({ if_revision: ifRevision });
