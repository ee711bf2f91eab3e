import { z } from "zod";
import { text } from "./text-field.ts";

export const auditActor = z
  .object({
    kind: text(
      "`operator`, `user`, `key`, `recipient`, `system`, `front_end`, `worker` or `stranger`; later versions may add kinds.",
      "user",
    ),
    id: text("Id of the actor.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    name: text("Name of the actor at that time.", "ada@example.com"),
  })
  .meta({ id: "AuditActor", description: "Actor of a change, as in the audit log." });
