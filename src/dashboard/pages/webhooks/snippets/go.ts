import { commented, isKeyPair, type Snippet } from "./snippet.ts";

const hmac = `// verify reports whether Hermod signed the body within the last five minutes.
func verify(header http.Header, body []byte, secret string) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	key, badKey := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	seconds, badTime := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0)).Abs()
	if badKey != nil || badTime != nil || age > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}`;

const ed25519 = `// verify reports whether Hermod signed the body within the last five minutes.
func verify(header http.Header, body []byte, publicKey string) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	key, badKey := base64.StdEncoding.DecodeString(strings.TrimPrefix(publicKey, "whpk_"))
	seconds, badTime := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0)).Abs()
	if badKey != nil || badTime != nil || len(key) != ed25519.PublicKeySize || age > 5*time.Minute {
		return false
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		text, isEd25519 := strings.CutPrefix(one, "v1a,")
		signature, badSignature := base64.StdEncoding.DecodeString(text)
		if isEd25519 && badSignature == nil && ed25519.Verify(key, signed, signature) {
			return true
		}
	}
	return false
}`;

const crypto = (isPair: boolean) => (isPair ? '	"crypto/ed25519"' : '	"crypto/hmac"\n	"crypto/sha256"');

export const go: Snippet = {
  file: "receiver.go",
  command: "go run receiver.go",
  needs: () => "Go 1.22",
  hmac,
  text: (receiver) => `// receiver.go: receives ${commented(receiver)}
package main

import (
	"cmp"
${crypto(isKeyPair(receiver))}
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${isKeyPair(receiver) ? ed25519 : hmac}

func receive(response http.ResponseWriter, request *http.Request) {
	var event struct{ Type, ID string }
	body, err := io.ReadAll(request.Body)
	isSigned := err == nil && verify(request.Header, body, ${isKeyPair(receiver) ? `"${receiver.publicKey}"` : 'os.Getenv("WEBHOOK_SECRET")'})
	if !isSigned || json.Unmarshal(body, &event) != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	fmt.Println(event.Type, event.ID)
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	address := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "8000")
	log.Fatal(http.ListenAndServe(address, http.HandlerFunc(receive)))
}`,
};
