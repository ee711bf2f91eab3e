import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `def verify(headers, body, secret):
    """Whether Hermod signed the body (bytes) within the last five minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    is_fresh = timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= 300
    key = base64.b64decode(secret.replace("whsec_", "", 1))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return is_fresh and any(hmac.compare_digest(expected, one) for one in signatures)`;

const ed25519 = `def verify(headers, body, public_key):
    """Whether Hermod signed the body (bytes) within the last five minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").split(" ")
    is_fresh = timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= 300
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.replace("whpk_", "", 1)))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    return is_fresh and any(is_signature(key, one, signed) for one in signatures)


def is_signature(key, text, signed):
    version, _, signature = text.partition(",")
    try:
        key.verify(base64.b64decode(signature), signed)
        return version == "v1a"
    except (InvalidSignature, ValueError):
        return False`;

const ofHmac = `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer`;

const ofEd25519 = `import base64
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey`;

export const python: Snippet = {
  file: "receiver.py",
  command: "python3 receiver.py",
  needs: (algorithm) => (isKeyPair({ algorithm }) ? "Python 3.9 and its cryptography package" : "Python 3.9"),
  hmac,
  text: (receiver) => `# receiver.py: receives ${commented(receiver)}
${isKeyPair(receiver) ? ofEd25519 : ofHmac}


${isKeyPair(receiver) ? ed25519 : hmac}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        is_signed = verify(self.headers, body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : 'os.environ["WEBHOOK_SECRET"]'})
        if is_signed:
            event = json.loads(body)
            print(event["type"], event["id"], flush=True)
        self.send_response(204 if is_signed else 400)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()`,
};
