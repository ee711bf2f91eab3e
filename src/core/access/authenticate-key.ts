import { addressAllowed } from "../../shared/address-range.ts";
import { createCached } from "../../shared/cached.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { equalInConstantTime, hashSecret, secretKind } from "../../shared/secrets.ts";
import type { KeyDocument, KeyKind, KeySurface } from "../../store/documents.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import { createKeyUses } from "./key-uses.ts";
import { allows, type Scope } from "./scopes.ts";

export interface KeyDemand {
  readonly kind: KeyKind;
  readonly scope: Scope;
  /** IP address of the client; empty: unknown. */
  readonly clientAddress: string;
  readonly surface: KeySurface;
  /** The key is used for an operation, which counts as a use; missing: the call only checks the key. */
  readonly isOperation?: boolean;
  /** Password of a sending key; missing: it is not checked. */
  readonly password?: string;
}

export interface KeyAuthenticator {
  /** @throws Fault auth.* or store.unavailable */
  authenticate(secret: string, demand: KeyDemand): Promise<KeyDocument>;
  /** Clears the cache, so that a revoked key stops working immediately. */
  forget(): void;
  /** Stores the time of the latest use of keys, and the number of uses. */
  flushUses(): Promise<void>;
}

export interface KeyAuthenticatorOptions {
  /** The account of a key is known only when the key is found. */
  readonly keys: AcrossAccounts["keys"];
  readonly clock: Clock;
  readonly cacheMs: number;
}

export function createKeyAuthenticator({ keys, clock, cacheMs }: KeyAuthenticatorOptions): KeyAuthenticator {
  const byHash = createCached<KeyDocument>({ load: keys.findByHash, ttlMs: cacheMs, maxEntries: 10_000 });
  const uses = createKeyUses({ keys, clock });

  async function find(secret: string, demanded: KeyKind): Promise<KeyDocument> {
    if (secret === "") throw fault("auth.key_missing");
    const hash = hashSecret(secret);
    // The checksum detects a mistyped key without a query to the store.
    const key = byHash.peek(hash) ?? (secretKind(secret) === undefined ? undefined : await byHash.get(hash));
    if (!key || !equalInConstantTime(key.hash, hash)) throw fault("auth.key_invalid");
    if (key.revokedAt) throw fault("auth.key_invalid", refusing(key));
    if (key.expiresAt && key.expiresAt <= clock.now()) {
      throw fault("auth.key_expired", {
        ...refusing(key),
        public: say(key.supersededAt ? "key_superseded" : "key_ended", { at: key.expiresAt.toISOString() }),
      });
    }
    if (key.kind !== demanded) {
      throw fault("auth.key_wrong_kind", {
        ...refusing(key),
        public: say("key_kind", { expected: demanded, kind: key.kind }),
      });
    }
    return key;
  }

  return {
    async authenticate(secret, { kind, scope, clientAddress, surface, isOperation = false, password }) {
      const key = await find(secret, kind);
      if (password !== undefined && !equalInConstantTime(key.passwordHash ?? "", hashSecret(password))) {
        throw fault("auth.key_invalid");
      }
      if (!allows(key, scope)) {
        throw fault("auth.scope_missing", {
          ...refusing(key),
          public: say("key_scope_mode_does_not_include", { scope_mode: key.scopeMode, scope }),
        });
      }
      if (!addressAllowed(key.allowedAddresses, clientAddress)) {
        throw fault("auth.address_not_allowed", {
          ...refusing(key),
          public:
            clientAddress === ""
              ? say("key_from_unknown_address")
              : say("key_from_address", { address: clientAddress }),
        });
      }
      uses.note(key, { surface, clientAddress, isOperation });
      return key;
    },
    forget: () => byHash.clear(),
    flushUses: uses.flush,
  };
}

/**
 * The answer for an existing key is the same as for an unknown one. The account sees in its log which request was
 * refused.
 */
const refusing = ({ _id: keyId, accountId }: KeyDocument) => ({ refusedKey: { keyId, accountId } });
