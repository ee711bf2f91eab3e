/** A server-sent event. */
interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

export interface EventParser {
  /** Reads the next piece of a stream. It can be cut anywhere. */
  read(piece: string): void;
  /** Id of the last event or comment that has one; empty if none has. */
  readonly lastId: string;
}

/** Reads a stream of server-sent events (WHATWG HTML, 9.2.6). An event that arrives in part is not reported. */
export function createEventParser(onEvent: (event: ServerEvent) => void): EventParser {
  let rest = "";
  let [name, id, lastId] = ["", "", ""];
  let data: string[] = [];

  function readLine(line: string): void {
    if (line === "") {
      lastId = id;
      if (data.length > 0) onEvent({ name: name || "message", data: data.join("\n") });
      name = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }

  return {
    read: (piece) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) readLine(line.replace(/\r$/, ""));
    },
    get lastId() {
      return lastId;
    },
  };
}
