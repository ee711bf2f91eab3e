import type { LabelSettings as Asked } from "../../../gen/hermod/label/v1/label_service_pb.ts";
import { cleanPng, MAX_SIDE, type PngProblem } from "../../intel/reports/labels/clean-png.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { NewLabel } from "../../store/label-store.ts";
import { createBoundedSlots } from "../access/bounded-slots.ts";
import { createFieldFaults } from "../field-faults.ts";
import { readBranding } from "./read-report-request.ts";

export type ReadLabel = (asked: Asked | undefined) => Promise<NewLabel>;

const KIB = 1024;
const MAX_LOGO_KIB = 256;
/** An encoded logo can be a little larger than the given one. */
const MAX_STORED_BYTES = 2 * MAX_LOGO_KIB * KIB;
/** Logos that are unpacked at the same time, each with at most 10 MB of pixels. */
const AT_ONCE = 2;
const MOST_WAITING = 20;

const reasons: Readonly<Record<PngProblem, () => FaultText>> = {
  not_png: () => say("logo_png"),
  pixels: () => say("logo_pixels", { max: MAX_SIDE }),
  form: () => say("logo_form"),
  damaged: () => say("logo_damaged"),
};

/** @param id of a workspace or client that does not exist */
export const unknownOwner = (id: string) =>
  fault(id.startsWith("ws_") ? "workspace.unknown" : "client.unknown");

/**
 * Reads the settings of a label. A logo is encoded again, so that only the pixels of the given file are stored.
 * @throws Fault request.validation_failed, service.busy
 */
export function createReadLabel(): ReadLabel {
  const slots = createBoundedSlots(AT_ONCE, MOST_WAITING);

  return async (asked) => {
    const faults = createFieldFaults();
    const { name = "", color = "", logo: given = new Uint8Array(), keepLogo = false } = asked ?? {};
    const branding = readBranding({ name: name.trim(), color: color.toLowerCase() }, "", faults);
    const refuse = (message: FaultText) => faults.add("/logo", "field.invalid", message);
    let logo: NewLabel["logo"] = keepLogo ? "keep" : undefined;
    if (given.length > MAX_LOGO_KIB * KIB) refuse(say("logo_size", { max: MAX_LOGO_KIB }));
    else if (given.length > 0) {
      const cleaned = await slots(() => cleanPng(given));
      if (!cleaned.ok) refuse(reasons[cleaned.problem]());
      else if (cleaned.png.length > MAX_STORED_BYTES) refuse(say("logo_size", { max: MAX_LOGO_KIB }));
      else logo = { png: cleaned.png, width: cleaned.width, height: cleaned.height };
    }
    if (faults.found.length > 0) throw validationFault(faults.found);
    return { ...branding, logo };
  };
}
