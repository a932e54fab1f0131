import { describe, expect, it } from "vitest"
import { differences, hashOf, reloaded } from "../../../adapters/config/comparison.ts"

const raw = { secret: "s".repeat(32), store: { kind: "postgres", url: "postgres://a:b@c/d" }, modules: { events: { webhooks: [] } } }

describe("the hash of a configuration", () => {
  it("does not depend on the order of keys, nor on what differs between instances", () => {
    const other = {
      listen: { port: 3001 },
      telemetry: { metrics: {} },
      modules: raw.modules,
      store: { url: raw.store.url, kind: "postgres" },
    }
    expect(hashOf({ ...other, secret: raw.secret })).toBe(hashOf(raw))
  })

  it("changes with a secret, a password in a URL, and the order of a list", () => {
    const others = [
      { ...raw, secret: "t".repeat(32) },
      { ...raw, store: { ...raw.store, url: "postgres://a:x@c/d" } },
      { ...raw, secret: [raw.secret, "t".repeat(32)] },
      { ...raw, secret: ["t".repeat(32), raw.secret] },
    ]
    expect(new Set([raw, ...others].map(hashOf)).size).toBe(5)
    for (const each of others) expect(hashOf(each)).toMatch(/^[0-9a-f]{16}$/)
  })

  it("counts functions and objects of the application by their kind", () => {
    const own = (started: number) => ({ ...raw, mail: { send: () => started }, clock: new Date(started) })
    expect(hashOf(own(1))).toBe(hashOf(own(2)))
    expect(hashOf(own(1))).not.toBe(hashOf(raw))
  })
})

it("names the paths of different values", () => {
  const other = { secret: ["t"], store: { kind: "mongo", url: raw.store.url }, modules: { events: { webhooks: [{}] }, phone: {} } }
  expect(differences(raw, other)).toEqual(["secret", "store.kind", "modules.events.webhooks", "modules.phone"])
  expect(differences(raw, structuredClone(raw))).toEqual([])
})

describe("the reloadable settings", () => {
  it("are taken, also where they or their section are missing", () => {
    const next = { secret: "n", mail: { kind: "none" }, log: { level: "debug", format: "json" } }
    expect(reloaded({ ...raw, sms: { kind: "none" } }, next)).toEqual({ ...raw, secret: "n", mail: next.mail, log: { level: "debug" } })
    expect(reloaded({ ...raw, log: { level: "debug" } }, raw)).toEqual({ ...raw, log: {} })
  })

  it("include webhooks only where the module is on before and after", () => {
    const webhooks = [{ id: "one" }]
    const withWebhooks = { ...raw, modules: { events: { webhooks, max_webhooks: 1 } } }
    expect(reloaded(raw, withWebhooks)).toEqual({ ...raw, modules: { events: { webhooks } } })
    for (const modules of [undefined, {}, { admin: {} }]) {
      const off = { secret: raw.secret, ...(modules === undefined ? {} : { modules }) }
      expect(reloaded(off, withWebhooks)).toEqual(off)
      expect(reloaded(withWebhooks, off)).toEqual(withWebhooks)
    }
  })
})
