import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `/** Whether Hermod signed the body within the last five minutes. */
function verify(array $server, string $body, string $secret): bool
{
    $id = $server["HTTP_WEBHOOK_ID"] ?? "";
    $timestamp = $server["HTTP_WEBHOOK_TIMESTAMP"] ?? "";
    $isFresh = abs(time() - (int) $timestamp) <= 300;
    $key = base64_decode(substr($secret, strlen("whsec_")));
    $expected = "v1," . base64_encode(hash_hmac("sha256", "$id.$timestamp.$body", $key, true));
    foreach (explode(" ", $server["HTTP_WEBHOOK_SIGNATURE"] ?? "") as $signature) {
        if ($isFresh && hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}`;

const ed25519 = `/** Whether Hermod signed the body within the last five minutes. */
function verify(array $server, string $body, string $publicKey): bool
{
    $id = $server["HTTP_WEBHOOK_ID"] ?? "";
    $timestamp = $server["HTTP_WEBHOOK_TIMESTAMP"] ?? "";
    $isFresh = abs(time() - (int) $timestamp) <= 300;
    $key = base64_decode(substr($publicKey, strlen("whpk_")));
    foreach (explode(" ", $server["HTTP_WEBHOOK_SIGNATURE"] ?? "") as $one) {
        $signature = str_starts_with($one, "v1a,") ? base64_decode(substr($one, strlen("v1a,"))) : "";
        $isWhole = strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES;
        if ($isFresh && $isWhole && sodium_crypto_sign_verify_detached($signature, "$id.$timestamp.$body", $key)) {
            return true;
        }
    }
    return false;
}`;

export const php: Snippet = {
  file: "receiver.php",
  command: "php -S 127.0.0.1:8000 receiver.php",
  needs: (algorithm) => (isKeyPair({ algorithm }) ? "PHP 8.1 with sodium" : "PHP 8.1"),
  hmac,
  text: (receiver) => `<?php // receiver.php: receives ${commented(receiver)}
${isKeyPair(receiver) ? ed25519 : hmac}

$body = file_get_contents("php://input");
if (!verify($_SERVER, $body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : 'getenv("WEBHOOK_SECRET")'})) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
file_put_contents("php://stdout", $event["type"] . " " . $event["id"] . "\\n");
http_response_code(204);`,
};
