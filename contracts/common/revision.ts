import { z } from "zod";

/** Field of every resource that a client can edit. */
export const revision = z.string().meta({
  description:
    "Revision of the settings, which differs after each change. Send it as `if_revision` with a change, so that two editors do not overwrite each other.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

const given = z.string().min(1).max(100);

/** Field in the body of every change. */
export const ifRevision = given.optional().meta({
  description:
    "`revision` that the change is based on. If the current revision differs, the response is 409 with the current revision, and nothing is changed. Without it, the change is made in any case.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

/** The same field for a PUT that can also create the resource. */
export const ifRevisionOrNone = given.optional().meta({
  description:
    "`revision` that the change is based on, or `none` if no resource of this name may exist. If the current revision differs, the response is 409 with the current revision, and nothing is changed. Without it, the change is made in any case.",
  examples: ["kYx0m3Wq7Zt1Rb5c"],
});

/** Query of a DELETE, which has no body. */
export const ifRevisionQuery = z.strictObject({ if_revision: ifRevision });
