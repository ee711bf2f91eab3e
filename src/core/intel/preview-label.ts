import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PreviewLabelRequest,
  PreviewLabelResponseSchema,
} from "../../../gen/hermod/label/v1/label_service_pb.ts";
import { exampleInputs } from "../../intel/reports/labels/example-inputs.ts";
import { labelColors } from "../../intel/reports/labels/label-colors.ts";
import { bytesOf } from "../../store/chunk-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { createMakeReport } from "./make-report.ts";
import { createReadLabel, unknownOwner } from "./read-label.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "clock" | "log">;

/** Previews wait for the thread that also writes reports. */
const AT_ONCE = { of: "previews of labels", ofAccount: 2, inAll: 4, retryAfterSeconds: 2 };

/**
 * Creates an example report with a label, and stores nothing. The stored logo stands in if the request keeps it.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, request.validation_failed, service.busy
 */
export function createPreviewLabel(needs: Needs) {
  const { store, clock } = needs;
  const makeReport = createMakeReport(needs);
  const readLabel = createReadLabel();
  const slots = createSlots(AT_ONCE);

  return async (
    request: PreviewLabelRequest,
  ): Promise<MessageInitShape<typeof PreviewLabelResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { id } = request;
    const owner = (await account.workspaces.find(id)) ?? (await account.workspaces.findClient(id));
    if (!owner) throw unknownOwner(id);
    const release = slots.take(account.id);
    try {
      const { logo: given, ...branding } = await readLabel(request.settings);
      const stored = given === "keep" ? (await account.labels.find(id))?.logo : undefined;
      const logo = given === "keep" ? stored && new Uint8Array(bytesOf(stored.data)) : given?.png;
      const json = await makeReport.build(exampleInputs(clock.now(), branding));
      const { bytes } = await makeReport.document({ format: "html", paper: "a4" }, { json, logo });
      return { html: Buffer.from(bytes).toString(), colors: { ...labelColors(branding.color) } };
    } finally {
      release();
    }
  };
}
