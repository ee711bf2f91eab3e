import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `/** Whether Hermod signed the body (a Buffer) within the last five minutes. */
function verify(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const digest = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest("base64");
  const expected = Buffer.from(\`v1,\${digest}\`);
  return (
    isFresh &&
    signatures.split(" ").some((one) => {
      const signature = Buffer.from(one);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    })
  );
}`;

const ed25519 = `/** An Ed25519 key in SubjectPublicKeyInfo begins with these bytes (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** Whether Hermod signed the body (a Buffer) within the last five minutes. */
function verify(headers, body, publicKey) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
  const raw = Buffer.from(publicKey.replace("whpk_", ""), "base64");
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: "der", type: "spki" });
  const signed = Buffer.concat([Buffer.from(\`\${id}.\${timestamp}.\`), body]);
  return (
    isFresh &&
    signatures.split(" ").some((one) => {
      const [version, signature = ""] = one.split(",");
      return version === "v1a" && verifySignature(null, signed, key, Buffer.from(signature, "base64"));
    })
  );
}`;

const imports = (isPair: boolean) =>
  isPair ? "createPublicKey, verify as verifySignature" : "createHmac, timingSafeEqual";

export const node: Snippet = {
  file: "receiver.mjs",
  command: "node receiver.mjs",
  needs: () => "Node.js 20",
  hmac,
  text: (receiver) => `// receiver.mjs: receives ${commented(receiver)}
import { ${imports(isKeyPair(receiver))} } from "node:crypto";
import { createServer } from "node:http";

${isKeyPair(receiver) ? ed25519 : hmac}

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (!verify(request.headers, body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : "process.env.WEBHOOK_SECRET"})) {
      response.writeHead(400).end();
      return;
    }
    const event = JSON.parse(body);
    console.log(event.type, event.id);
    response.writeHead(204).end();
  } catch (error) {
    // For example, the connection ended before the body did.
    console.error(error.message);
    response.destroy();
  }
});
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");`,
};
