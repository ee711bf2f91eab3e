import type {
  PutDataSetRequest,
  PutTestDataRequest,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { TemplateDataSet } from "../../store/documents.ts";
import type { TemplateEdit, TemplateState } from "../../store/template-store.ts";
import { type Answer, type Context, createChange, type EditOptions, kept } from "./edit-template.ts";
import { DEFAULT_SET, MAX_SET_NAME_LENGTH } from "./find-data.ts";
import { readData } from "./read-definition.ts";

const MAX_SETS = 10;
/** Bytes of all named sets: they are in one document with the draft, which may have 15 MB. */
const MAX_BYTES = 1024 * 1024;

export function createPutTestData(options: EditOptions) {
  const change = createChange(options);
  return (request: PutTestDataRequest, context: Context): Promise<Answer> => {
    const { testDataJson: json } = request;
    if (json !== "") readData(json, "/test_data");
    return change(request, (state) => withTestData(state, json), context);
  };
}

/** Stores, replaces or removes one set. The limits hold within the transaction of the change. */
export function createPutDataSet(options: EditOptions) {
  const change = createChange(options);
  return (request: PutDataSetRequest, context: Context): Promise<Answer> => {
    const { dataSet: name, dataJson: data } = request;
    if (!isSetName(name))
      throw refused("/data_set", "field.invalid", say("data_set_name", { max: MAX_SET_NAME_LENGTH }));
    if (data !== "") readData(data, "/data");
    return change(
      request,
      (state) => (name === DEFAULT_SET ? withTestData(state, data) : withDataSet(state, { name, data })),
      context,
    );
  };
}

function withTestData(state: TemplateState, json: string): TemplateEdit {
  const { testData: _, ...rest } = kept(state);
  return json === "" ? rest : { ...rest, testData: json };
}

/** @returns undefined: the set to remove does not exist */
function withDataSet(state: TemplateState, set: TemplateDataSet): TemplateEdit | undefined {
  const { dataSets = [], ...rest } = kept(state);
  const others = dataSets.filter(({ name }) => name !== set.name);
  if (set.data === "") {
    if (others.length === dataSets.length) return undefined;
    return others.length === 0 ? rest : { ...rest, dataSets: others };
  }
  const isKnown = others.length < dataSets.length;
  const next = isKnown ? dataSets.map((one) => (one.name === set.name ? set : one)) : [...dataSets, set];
  if (next.length > MAX_SETS)
    throw refused("/data_set", "field.too_many", say("template_data_sets", { max: MAX_SETS }));
  const bytes = next.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  if (bytes > MAX_BYTES) throw refused("/data", "field.too_long", say("data_sets_more_than_1_mb_together"));
  return { ...rest, dataSets: next };
}

function isSetName(name: string): boolean {
  return (
    /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(name) &&
    name.length <= MAX_SET_NAME_LENGTH &&
    name.trim() === name &&
    name.isWellFormed()
  );
}

function refused(
  pointer: string,
  code: "field.invalid" | "field.too_many" | "field.too_long",
  message: FaultText,
) {
  return validationFault([{ pointer, code, message }]);
}
