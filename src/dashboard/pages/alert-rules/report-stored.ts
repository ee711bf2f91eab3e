import { notifications } from "@mantine/notifications";
import type { PutRule } from "../../api/rules.ts";
import { t } from "../../texts/texts.ts";

/** Says that a rule is stored. */
export function reportStored(stored: PutRule): void {
  notifications.show({ message: t.rules.saved, role: "status" });
  warnOf(stored);
}

/** Warns of what keeps a stored rule from notifying. */
export function warnOf({ shadowed_by: shadowedBy, suppressed_recipients: suppressed }: PutRule): void {
  const warnings = [
    ...(shadowedBy ? [t.rules.shadowed(shadowedBy)] : []),
    ...(suppressed.length > 0 ? [t.rules.suppressed(suppressed.join(", "))] : []),
  ];
  for (const message of warnings)
    notifications.show({ message, role: "status", color: "yellow", autoClose: false });
}
