import { Connection } from "mongodb/lib/cmap/connection.js";

const { cleanup } = Connection.prototype;

/**
 * Lets a connection of the driver that closes wake whoever waits there until the socket can take more: the socket never
 * says so again, and the driver waits for nothing else (mongodb 7.8.0, `Connection.writeCommand`). A command that begins
 * while the socket is already destroyed waits like that too. Where that is the monitor's, the server is never asked again,
 * and counts as gone until the process ends.
 *
 * Who is woken finds the error that closed the connection, as any other command on it does.
 */
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  // Later than what has just begun to wait.
  setImmediate(() => this.socket.emit("drain"));
};
