import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { configurationOf } from "../../../adapters/config/load.ts"
import { ConfigurationFault } from "../../../adapters/configuration-faults.ts"
import list from "../../../adapters/refused-domains/disposable-domains.json" with { type: "json" }
import { domainsIn, listFault } from "../../../adapters/refused-domains/lists.ts"
import { layer } from "../../../adapters/refused-domains/refused-domains.ts"
import { optional } from "../../../application/modules/index.ts"
import { RefusedDomains } from "../../../domain/ports/refused-domains.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-lists-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const own = join(import.meta.dirname, "domains.txt")

const secret = "x".repeat(32)
const configured = (raw: Record<string, unknown>) => configurationOf({ secret, ...raw }, optional)
const faultsOf = (raw: Record<string, unknown>) =>
  Effect.map(Effect.flip(configured(raw)), (fault) => (fault instanceof ConfigurationFault ? fault.faults : []))

const refusing = Effect.fnUntraced(function* (email: Record<string, unknown>) {
  const { settings } = yield* configured({ registration: { email } })
  return Context.get(yield* Layer.build(Layer.fresh(layer(settings))), RefusedDomains)
})

describe("the list of disposable domains", () => {
  it("is data of a day, in the form of stored addresses", () => {
    assert.match(list.date, /^20\d\d-\d\d-\d\d$/)
    assert.isAbove(list.domains.length, 8000)
    assert.deepStrictEqual(
      list.domains.filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
      [],
    )
    for (const common of ["gmail.com", "outlook.com", "icloud.com", "proton.me", "example.com"]) assert.notInclude(list.domains, common)
  })

  it.effect("is used only if the setting says so, with the operator's own lists", () =>
    Effect.gen(function* () {
      const [none, disposable, both] = [
        yield* refusing({ lists: [own] }),
        yield* refusing({ block_disposable: true }),
        yield* refusing({ block_disposable: true, lists: [own] }),
      ]
      const has = (domain: string) => [none, disposable, both].map((each) => each.has(domain))
      assert.deepStrictEqual(has("mailinator.com"), [false, true, true])
      assert.deepStrictEqual(has("trash.example"), [true, false, true])
      assert.deepStrictEqual(has("xn--bcher-kva.example"), [true, false, true])
    }),
  )
})

describe("a list of domains", () => {
  it("has one domain a line, and comments", () => {
    assert.deepStrictEqual(domainsIn(own), ["trash.example", "xn--bcher-kva.example"])
    assert.isUndefined(listFault(own))
  })

  it.each(["https://trash.example", "a@trash.example", "trash.example:80", "trash.example/x", "two words", "*.trash.example", "-"])(
    "with the line %s stops the start",
    (wrong) => {
      const path = join(folder, "wrong.txt")
      writeFileSync(path, `# list\r\nright.example\r\n${wrong}\r\n`)
      assert.match(listFault(path) ?? "", /line 3/)
    },
  )

  it.effect("that cannot be read stops the start", () =>
    Effect.gen(function* () {
      const lists = [join(folder, "missing.txt")]
      const [fault] = yield* faultsOf({ registration: { email: { lists } } })
      assert.match(fault ?? "", /^registration\.email\.lists\.0: found .*, wanted a file that can be read \(ENOENT\)$/)
    }),
  )
})

describe("who can sign up", () => {
  it.effect("must prove the address where only some addresses can", () =>
    Effect.gen(function* () {
      const email_password = { enabled: true }
      const wanted = (registration: object) => faultsOf({ email_password, registration })
      assert.match((yield* wanted({ mode: "invited" }))[0] ?? "", /require_email_verification: found nothing, wanted true, because/)
      assert.match((yield* wanted({ email: { allow: ["example.com"] } }))[0] ?? "", /because registration\.email\.allow is set/)
      const verified = { enabled: true, require_email_verification: true }
      for (const registration of [{ mode: "invited" }, { email: { allow: ["example.com"] } }])
        yield* configured({ email_password: verified, registration })
      for (const registration of [{}, { mode: "closed" }, { email: { block: ["example.com"] } }])
        yield* configured({ email_password, registration })
    }),
  )
})
