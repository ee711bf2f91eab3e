import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `# Whether Hermod signed the body within the last five minutes.
def verify(headers, body, secret)
  timestamp = headers["webhook-timestamp"].to_s
  fresh = (Time.now.to_i - timestamp.to_i).abs <= 300
  key = secret.delete_prefix("whsec_").unpack1("m")
  signed = "#{headers["webhook-id"]}.#{timestamp}.".b + body.b
  expected = "v1,#{[OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")}"
  signatures = headers["webhook-signature"].to_s.split
  fresh && signatures.any? { |one| OpenSSL.secure_compare(one, expected) }
end`;

const ed25519 = `# An Ed25519 key in SubjectPublicKeyInfo begins with these bytes (RFC 8410).
SPKI = ["302a300506032b6570032100"].pack("H*")

# Whether Hermod signed the body within the last five minutes.
def verify(headers, body, public_key)
  timestamp = headers["webhook-timestamp"].to_s
  fresh = (Time.now.to_i - timestamp.to_i).abs <= 300
  key = OpenSSL::PKey.read(SPKI + public_key.delete_prefix("whpk_").unpack1("m"))
  signed = "#{headers["webhook-id"]}.#{timestamp}.".b + body.b
  signatures = headers["webhook-signature"].to_s.split
  fresh && signatures.any? { |one| signature?(key, one, signed) }
end

def signature?(key, text, signed)
  version, signature = text.split(",", 2)
  version == "v1a" && key.verify(nil, signature.to_s.unpack1("m"), signed)
rescue OpenSSL::PKey::PKeyError
  false
end`;

export const ruby: Snippet = {
  file: "receiver.rb",
  command: "ruby receiver.rb",
  needs: (algorithm) => (isKeyPair({ algorithm }) ? "Ruby 3.1" : "Ruby 3.0"),
  hmac,
  text: (receiver) => `# receiver.rb: receives ${commented(receiver)}
require "json"
require "openssl"
require "socket"

${isKeyPair(receiver) ? ed25519 : hmac}

server = TCPServer.new("127.0.0.1", ENV.fetch("PORT", "8000").to_i)
loop do
  Thread.new(server.accept) do |client|
    client.gets
    headers = {}
    while (line = client.gets&.chomp) && !line.empty?
      name, value = line.split(": ", 2)
      headers[name.downcase] = value
    end
    body = client.read(headers["content-length"].to_i)
    signed = verify(headers, body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : 'ENV.fetch("WEBHOOK_SECRET")'})
    if signed
      event = JSON.parse(body)
      $stdout.write("#{event["type"]} #{event["id"]}\\n")
      $stdout.flush
    end
    client.write("HTTP/1.1 #{signed ? "204 No Content" : "400 Bad Request"}\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
    client.close
  end
end`,
};
