import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `  /** Whether Hermod signed the body within the last five minutes. */
  static boolean verify(Headers headers, byte[] body, String secret) throws Exception {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || timestamp == null || signatures == null || !timestamp.matches("\\\\d{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1_000 - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes());
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(expected, signature.getBytes())) return true;
    }
    return false;
  }`;

const ed25519 = `  /** An Ed25519 key in SubjectPublicKeyInfo begins with these bytes (RFC 8410). */
  static final String SPKI = "302a300506032b6570032100";

  /** Whether Hermod signed the body within the last five minutes. */
  static boolean verify(Headers headers, byte[] body, String publicKey) throws Exception {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || timestamp == null || signatures == null || !timestamp.matches("\\\\d{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1_000 - Long.parseLong(timestamp)) > 300) return false;
    byte[] raw = Base64.getDecoder().decode(publicKey.replaceFirst("^whpk_", ""));
    byte[] spki = HexFormat.of().parseHex(SPKI + HexFormat.of().formatHex(raw));
    PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(spki));
    for (String one : signatures.split(" ")) {
      if (!one.startsWith("v1a,")) continue;
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update((id + "." + timestamp + ".").getBytes());
      signature.update(body);
      if (signature.verify(Base64.getDecoder().decode(one.substring(4)))) return true;
    }
    return false;
  }`;

const ofHmac = `import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;`;

const ofEd25519 = `import java.net.InetSocketAddress;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;`;

export const java: Snippet = {
  file: "Receiver.java",
  command: "java Receiver.java",
  needs: () => "Java 17",
  hmac,
  text: (receiver) => `// Receiver.java: receives ${commented(receiver)}
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
${isKeyPair(receiver) ? ofEd25519 : ofHmac}

class Receiver {
${isKeyPair(receiver) ? ed25519 : hmac}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(Optional.ofNullable(System.getenv("PORT")).orElse("8000"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      int status = 400;
      try {
        if (verify(exchange.getRequestHeaders(), body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : 'System.getenv("WEBHOOK_SECRET")'})) {
          System.out.println(new String(body));
          status = 204;
        }
      } catch (Exception invalid) {
        System.err.println(invalid);
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}`,
};
