import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { load, loadKeyManagement } from "../../../adapters/config/load.ts"

const wrapped = `wrapped:vault:v1:${"A".repeat(60)}`
const vault = { kind: "vault", url: "https://vault.example.com:8200", token: "hunter2", key: "sallyport" }
const aws = { kind: "aws", region: "eu-central-1", key_id: "alias/sallyport", access_key_id: "AKID", secret_access_key: "hunter2" }

type Environment = Readonly<Record<string, string>>

/** A folder with a configuration file. */
const written = (config: unknown) => {
  const directory = mkdtempSync(join(tmpdir(), "sallyport-keys-"))
  writeFileSync(join(directory, "sallyport.config.json"), JSON.stringify(config))
  return directory
}

const loaded = (key_management: unknown, environment: Environment = {}, secret: unknown = wrapped) =>
  load({ directory: written({ secret, key_management }), environment }, [])

const faultsOf = (key_management: unknown, environment?: Environment) =>
  Effect.map(Effect.flip(loaded(key_management, environment)), ({ faults }) => faults)

describe("key management", () => {
  it.effect("is local by default, and then a wrapped secret is a fault", () =>
    Effect.gen(function* () {
      const plain = yield* loaded(undefined, {}, "x".repeat(32))
      expect([plain.key_management, plain.plainSecrets]).toEqual([{ kind: "local" }, 1])
      const fault = 'wanted "vault" or "aws", because a secret is wrapped'
      expect(yield* faultsOf(undefined)).toEqual([`key_management.kind: found nothing, ${fault}`])
      expect(yield* faultsOf({ kind: "local" })).toEqual([`key_management.kind: found "local", ${fault}`])
    }),
  )

  it.effect("can be Vault or AWS KMS, with defaults", () =>
    Effect.gen(function* () {
      const one = yield* loaded(vault)
      expect(one.key_management).toMatchObject({ url: vault.url, key: "sallyport", mount: "transit", context: "sallyport" })
      expect(one.plainSecrets).toBe(0)
      const other = yield* loaded(aws, {}, [wrapped, "x".repeat(32)])
      expect(other.key_management).toMatchObject({ region: "eu-central-1", key_id: "alias/sallyport", context: "sallyport" })
      expect(other.plainSecrets).toBe(1)
      for (const { key_management } of [one, other]) expect(JSON.stringify(key_management)).not.toContain("hunter2")
    }),
  )

  it.effect("takes its credentials from the variables of Vault and AWS, where the file selects the kind", () =>
    Effect.gen(function* () {
      const directory = written({})
      writeFileSync(join(directory, "token"), "hvs.from-a-file\n")
      const environment = {
        ...{ VAULT_ADDR: "https://env.example.com", VAULT_TOKEN_FILE: join(directory, "token"), VAULT_NAMESPACE: "team" },
        ...{ AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "AKID2", AWS_SECRET_ACCESS_KEY: "from env", AWS_SESSION_TOKEN: "session" },
      }
      const ofVault = (yield* loaded({ kind: "vault", key: "k" }, environment)).key_management
      expect(ofVault).toMatchObject({ url: "https://env.example.com", namespace: "team" })
      expect(ofVault.kind === "vault" && Redacted.value(ofVault.token)).toBe("hvs.from-a-file")
      const ofAws = (yield* loaded({ kind: "aws", key_id: "k" }, environment)).key_management
      expect(ofAws).toMatchObject({ region: "us-east-1", access_key_id: "AKID2" })
      expect(ofAws.kind === "aws" && ofAws.session_token && Redacted.value(ofAws.session_token)).toBe("session")
      expect((yield* loaded(undefined, environment, "x".repeat(32))).key_management).toEqual({ kind: "local" })
    }),
  )

  const url = "wanted a URL that begins with https://, or http:// on this machine; without user and password"
  it.effect.each([
    [{ kind: "gcp" }, ['key_management.kind: found "gcp", wanted "local", "vault" or "aws"']],
    [{ ...vault, url: "http://vault.example.com:8200" }, [`key_management.url: found http://…, ${url}`]],
    [{ ...vault, mount: "../sys" }, ['key_management.mount: found "../sys", wanted the path of the transit engine']],
    [{ ...vault, key: "a/b" }, ["key_management.key: found a text of 3 bytes, wanted the name of a key of the transit engine"]],
    [{ ...vault, token: "hunter2\n" }, ["key_management.token: found a text of 8 bytes, wanted a token of Vault"]],
    [{ ...aws, region: "evil.example.com#" }, ['key_management.region: found "evil.example.com#", wanted a region, such as eu-central-1']],
    [{ ...aws, endpoint: "http://kms.example.com" }, [`key_management.endpoint: found "http://kms.example.com", ${url}`]],
  ] as const)("faults: %o", ([settings, faults]) =>
    Effect.gen(function* () {
      expect(yield* faultsOf(settings)).toEqual(faults)
    }),
  )

  it.effect("is read without the other settings, for the first wrapped secret", () =>
    Effect.gen(function* () {
      const selected = yield* loadKeyManagement({ directory: written({ key_management: vault, store: 7 }), environment: {} })
      expect(selected.key_management).toMatchObject({ kind: "vault", mount: "transit" })
      const { faults } = yield* Effect.flip(loadKeyManagement({ directory: written({ key_management: { kind: "aws" } }), environment: {} }))
      expect(faults.length).toBeGreaterThan(2)
    }),
  )
})
