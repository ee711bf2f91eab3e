import type { Socket } from "node:net";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import { ProxiedSmtpServer } from "./proxied-smtp-server.ts";

const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3} /;

/** smtp-server that sends an enhanced status code at the start of a reply's text instead of its own code. */
export class CodedSmtpServer extends ProxiedSmtpServer {
  override connect(socket: Socket, options: SMTPConnectionOptions | null = null): void {
    const connection = new CodedConnection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (error) => this._onError(error));
    connection.init();
  }
}

class CodedConnection extends SMTPConnection {
  override send(...[code, data, context]: Parameters<SMTPConnection["send"]>): void {
    const isCoded = typeof data === "string" && ENHANCED.test(data);
    super.send(code, data, isCoded ? false : context);
  }
}
