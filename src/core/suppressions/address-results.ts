import { type FieldFault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { pointer } from "../field-faults.ts";
import { readSuppressed, type Suppressed } from "./read-suppression.ts";

/** Result for one address. */
interface AddressResult {
  readonly address: string;
  readonly outcome: string;
  readonly suppressionId?: string;
  readonly code?: string;
  readonly pointer?: string;
  readonly message?: string;
}

/** Maximum number of addresses in one call. */
const MAX_ADDRESSES = 1_000;

/** @throws Fault request.validation_failed if there are none or too many */
export function checkCount(addresses: readonly string[]): void {
  if (addresses.length > 0 && addresses.length <= MAX_ADDRESSES) return;
  const [code, message] =
    addresses.length === 0
      ? (["field.required", say("address_missing")] as const)
      : (["field.too_many", say("addresses_of_call", { max: MAX_ADDRESSES })] as const);
  throw validationFault([{ pointer: "/addresses", code, message }]);
}

/**
 * Processes the valid addresses together; the others are refused separately.
 * @param check error of a valid address; undefined: none
 * @param work returns a result for each given address
 */
export async function forAddresses(
  addresses: readonly string[],
  check: (whom: Suppressed) => Pick<FieldFault, "code" | "message"> | undefined,
  work: (whom: readonly Suppressed[]) => Promise<readonly Omit<AddressResult, "address">[]>,
): Promise<AddressResult[]> {
  const read = addresses.map((address) => {
    const result = readSuppressed(address);
    const refused = result.ok ? check(result) : result;
    return refused ? { refused } : { whom: result as Suppressed };
  });
  const whom = read.flatMap((one) => one.whom ?? []);
  const done = whom.length > 0 ? [...(await work(whom))] : [];
  return read.map(({ refused }, index) => {
    const address = addresses[index] ?? "";
    if (!refused) return { address, ...(done.shift() as Omit<AddressResult, "address">) };
    const { code, message } = refused;
    return { address, outcome: "refused", code, pointer: pointer("addresses", index), message: message.text };
  });
}
