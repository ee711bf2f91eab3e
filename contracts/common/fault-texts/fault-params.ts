/** Value of a param in the text of a fault. */
export type FaultParam = string | number | boolean | readonly string[];

export type FaultParams = Readonly<Record<string, FaultParam>>;

interface FaultParamDoc {
  readonly type: "string" | "number" | "strings";
  /** A noun phrase for the documentation. */
  readonly doc: string;
}

/** Every param of the texts of faults. A param has the same type and meaning in all texts. */
export const faultParams = {
  reason: { type: "string", doc: "Identifier of the text, unique within the code." },
  actual: { type: "number", doc: "Size or count of the request's value." },
  address: { type: "string", doc: "E-mail address, domain or IP address that the fault is about." },
  allowed: { type: "strings", doc: "Values that the field allows." },
  at: { type: "string", doc: "Time of the event, in RFC 3339." },
  calls: { type: "string", doc: "Kind of the calls in progress, in English." },
  characters: { type: "string", doc: "Characters that need quotes." },
  code: { type: "string", doc: "Code of the fault that ended the job." },
  column: { type: "number", doc: "Column in the part of the template, from 1." },
  columns: { type: "strings", doc: "Columns of the CSV, by their names." },
  count: { type: "number", doc: "Number of the items that the text counts." },
  detail: { type: "string", doc: "More of the cause, in English." },
  documents: { type: "string", doc: "Number of documents, in English." },
  email: { type: "string", doc: "E-mail address of a user." },
  existing: { type: "string", doc: "Existing file." },
  expected: { type: "string", doc: "Type or kind that the operation requires." },
  field: { type: "string", doc: "Name of the field." },
  given: { type: "string", doc: "Value of the request." },
  holder: { type: "string", doc: "Owner of a limit: `session`, `user` or `account`." },
  id: { type: "string", doc: "Id of the resource." },
  key: { type: "string", doc: "Name of a field, or the id, name or first characters of an API key." },
  kind: { type: "string", doc: "Kind of the request's value." },
  length: { type: "number", doc: "Length of the faulty part, in characters." },
  limit: { type: "string", doc: "Limit that was reached: `key` or `account`." },
  line: { type: "number", doc: "Line of the template's part or of the CSV, from 1." },
  max: { type: "number", doc: "Largest value, size or count that is allowed." },
  max_characters: { type: "number", doc: "Largest number of characters that is allowed." },
  method: { type: "string", doc: "HTTP method or gRPC method of the request." },
  methods: { type: "strings", doc: "HTTP methods that the path has." },
  min: { type: "number", doc: "Smallest value, size or count that is allowed." },
  name: { type: "string", doc: "Name of the resource, header or variable." },
  offset: { type: "number", doc: "Position of the faulty part, in characters from 0." },
  other: { type: "string", doc: "Second value, next to `given`." },
  part: { type: "string", doc: "Part of the template: `subject`, `html` or `text`." },
  permission: { type: "string", doc: "Permission that the operation needs." },
  pointer: { type: "string", doc: "JSON pointer to another field." },
  quoted: { type: "string", doc: "Display name with its special characters escaped." },
  revision: { type: "string", doc: "Current revision of the resource." },
  role: { type: "string", doc: "Role of a member or of a calling service." },
  scope: { type: "string", doc: "Scope of a key, or scope of a suppression." },
  scope_mode: { type: "string", doc: "Scope mode of the key." },
  scopes: { type: "strings", doc: "Scopes that the role does not include." },
  seconds: { type: "number", doc: "Time until the request can be repeated, in seconds." },
  sender: { type: "string", doc: "Address or domain of the sender." },
  site: { type: "string", doc: "Value of the header Sec-Fetch-Site." },
  state: { type: "string", doc: "State of the resource." },
  target: { type: "string", doc: "Method and path, or path, of the request." },
  type: { type: "string", doc: "Type of the value." },
  user: { type: "string", doc: "Id or address of a user." },
  users: { type: "strings", doc: "Resources that use the resource, in English; `used_by` has them as data." },
  variable: { type: "string", doc: "Name of the template's variable." },
  version: { type: "string", doc: "Version of the template or routing policy." },
} as const satisfies Record<string, FaultParamDoc>;

export type FaultParamName = keyof typeof faultParams;

interface ParamTypes {
  readonly string: string;
  readonly number: number;
  readonly strings: readonly string[];
}

export type FaultParamValue<N extends string> = N extends FaultParamName
  ? ParamTypes[(typeof faultParams)[N]["type"]]
  : never;
