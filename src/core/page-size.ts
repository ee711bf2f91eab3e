import { validationFault } from "../shared/fault.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

/** @throws Fault request.validation_failed */
export function pageSizeOf(asked: number): number {
  if (asked <= MAX_PAGE_SIZE) return asked || DEFAULT_PAGE_SIZE;
  const message = `A page has at most ${MAX_PAGE_SIZE} entries.`;
  throw validationFault([{ pointer: "/page_size", code: "field.invalid", message }]);
}
