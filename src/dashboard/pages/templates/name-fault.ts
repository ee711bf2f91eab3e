import { fieldFaults } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";

/** The address of a template with this name is that of the page for a new template. */
const RESERVED = "new";

/**
 * The reason why a template cannot have a name.
 * @param error of the request that named it, with the fault at `field`
 */
export function nameFault(name: string, error: Error | null, field: string): string | undefined {
  if (isReserved(name)) return t.templates.reserved;
  return error === null ? undefined : fieldFaults(error)[field];
}

export const isReserved = (name: string): boolean => name.trim() === RESERVED;
