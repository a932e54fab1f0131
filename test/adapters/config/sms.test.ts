import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { load } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"

const secret = "0123456789abcdef0123456789abcdef"
const key = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString("base64")}`
const twilio = { kind: "twilio", account_sid: `AC${"0a".repeat(16)}`, auth_token: "hunter2", from: "+15550000" }
const webhook = { kind: "webhook", url: "https://sms.example.com/hunter2", secret: key(1) }

/** The configuration that is read from a file with these settings. */
const loaded = (sms: unknown, environment: Readonly<Record<string, string>> = {}) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-sms-"))),
    (directory) =>
      Effect.suspend(() => {
        writeFileSync(join(directory, "sallyport.config.json"), JSON.stringify({ secret, sms }))
        return Effect.map(load({ directory, environment }, []), (configuration) => configuration.sms)
      }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true })),
  )
const faultsOf = (sms: unknown, environment?: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(loaded(sms, environment)), ({ faults }) => faults)

describe("short messages", () => {
  it.effect("are printed by default", () =>
    Effect.gen(function* () {
      expect(yield* loaded(undefined)).toEqual({ kind: "console" })
      expect(yield* loaded({ kind: "none" })).toEqual({ kind: "none" })
    }),
  )

  it.effect("can be sent through Twilio", () =>
    Effect.gen(function* () {
      const sms = yield* loaded(twilio)
      expect(sms).toMatchObject({ kind: "twilio", account_sid: twilio.account_sid, from: twilio.from })
      expect("auth_token" in sms && Redacted.value(sms.auth_token)).toBe("hunter2")
      expect(JSON.stringify(sms)).not.toContain("hunter2")
    }),
  )

  it.effect("can be sent to a webhook, signed with one secret or several, with header fields", () =>
    Effect.gen(function* () {
      expect(yield* loaded({ kind: "webhook", url: webhook.url })).toMatchObject({ kind: "webhook", headers: {} })
      expect(yield* loaded(webhook)).toMatchObject({ kind: "webhook", headers: {} })
      const sms = yield* loaded({ ...webhook, secret: [key(1), key(2)], headers: { Authorization: "Bearer hunter2" } })
      expect("headers" in sms && Redacted.value(sms.headers.Authorization!)).toBe("Bearer hunter2")
      expect(JSON.stringify(sms)).not.toMatch(/hunter2|whsec/)
    }),
  )

  it.effect("take their secrets from the environment, where the file selects the gateway", () =>
    Effect.gen(function* () {
      const environment = { TWILIO_AUTH_TOKEN: "from the environment", SMS_WEBHOOK_SECRET: key(3) }
      const { auth_token: _, ...withoutToken } = twilio
      const one = yield* loaded(withoutToken, environment)
      expect("auth_token" in one && Redacted.value(one.auth_token)).toBe("from the environment")
      const other = yield* loaded(webhook, environment)
      expect("secret" in other && Redacted.isRedacted(other.secret) && Redacted.value(other.secret)).toBe(key(3))
      expect(yield* loaded(undefined, environment)).toEqual({ kind: "console" })
      expect(yield* loaded({ kind: "none" }, environment)).toEqual({ kind: "none" })
    }),
  )

  it.effect("are required by an enabled module that needs them", () =>
    Effect.gen(function* () {
      const needs = (modules: object) =>
        Effect.acquireUseRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-sms-"))),
          (directory) =>
            Effect.suspend(() => {
              writeFileSync(join(directory, "sallyport.config.json"), JSON.stringify({ secret, modules }))
              return Effect.map(load({ directory, environment: {} }, optional), ({ needsSms }) => needsSms)
            }),
          (directory) => Effect.sync(() => rmSync(directory, { recursive: true })),
        )
      expect(yield* needs({})).toBe(false)
      expect(yield* needs({ email_otp: {}, magic_link: {} })).toBe(false)
      expect(yield* needs({ email_otp: {}, phone: {} })).toBe(true)
    }),
  )

  it.effect.each([
    [{ kind: "smoke" }, ['sms.kind: found "smoke", wanted "twilio", "webhook", "console" or "none"']],
    [
      { kind: "twilio" },
      [
        "sms.account_sid: found nothing, wanted AC and 32 hexadecimal digits",
        "sms.auth_token: found nothing, wanted the account's auth token",
        "sms.from: found nothing, wanted a number, a sender's name, or the SID of a messaging service",
      ],
    ],
    [{ ...twilio, account_sid: "AC1/../x" }, ['sms.account_sid: found "AC1/../x", wanted AC and 32 hexadecimal digits']],
    [{ ...twilio, auth_token: "" }, ["sms.auth_token: found an empty text (is its variable set?), wanted the account's auth token"]],
    [{ ...twilio, secret: "hunter2" }, ["sms.secret: found an unknown key, wanted one of kind, account_sid, auth_token, from"]],
  ] as const)("%j is refused", ([sms, faults]) =>
    Effect.gen(function* () {
      expect(yield* faultsOf(sms)).toEqual(faults)
    }),
  )

  const wantedSecret = "wanted whsec_ and 24 to 64 bytes in base64, with which the receiver verifies signatures"
  const wantedUrl = "wanted a URL that begins with https://, or http:// on this machine; without user and password, which go to headers"
  it.effect.each([
    [{ secret: "hunter2" }, `sms.secret: found a text of 7 bytes, ${wantedSecret}`],
    [{ secret: [key(1), "hunter2"] }, `sms.secret.1: found a text of 7 bytes, ${wantedSecret}`],
    [{ url: "http://sms.example.com/hunter2" }, `sms.url: found http://…, ${wantedUrl}`],
    [{ url: "https://me:hunter2@sms.example.com" }, `sms.url: found https://…, ${wantedUrl}`],
    [
      { headers: { "webhook-id": "hunter2" } },
      "sms.headers.webhook-id: found a text of 7 bytes, wanted a header field that the request does not set itself",
    ],
    [
      { headers: { "x-key": "hunter2\n" } },
      "sms.headers.x-key: found a text of 8 bytes, wanted a header field that the request does not set itself",
    ],
    [{ headers: { "x-key": 7 } }, "sms.headers.x-key: found a number, wanted a text"],
  ] as const)("a webhook with %j is refused without its secrets", ([changes, fault]) =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ ...webhook, ...changes })).toEqual([fault])
    }),
  )

  it.effect("an empty list of secrets is refused", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ ...webhook, secret: [] })).toHaveLength(1)
    }),
  )
})
