import { generateKeyPairSync } from "node:crypto"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { senderChecks, txtFrom } from "../../../adapters/doctor/sender-domain.ts"

const spki = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "der", type: "spki" }).toString("base64")
const long = spki(2048)

const good = {
  "acme.dev": ["google-site-verification=x", "v=spf1 include:_spf.mail.dev -all"],
  "s1._domainkey.acme.dev": [`v=DKIM1; k=rsa; p=${long}`],
  "_dmarc.acme.dev": ["v=DMARC1; p=reject; rua=mailto:dmarc@acme.dev"],
}

const levels = Effect.fnUntraced(function* (
  records: Readonly<Record<string, ReadonlyArray<string>>>,
  domain = "acme.dev",
  dkimSelector: string | undefined = "s1",
) {
  const findings = yield* senderChecks({ domain, dkimSelector }, (name) => Effect.succeed(records[name] ?? []))
  return findings.map(({ level }) => level)
})

describe("the domain of the sender", () => {
  it.effect("is authenticated by SPF, DKIM and DMARC", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* levels(good), ["ok", "ok", "ok"])
      assert.deepStrictEqual(yield* levels({}), ["warn", "error", "warn"])
      assert.deepStrictEqual(
        yield* senderChecks({ domain: "acme.dev", dkimSelector: undefined }, () => Effect.succeed([])).pipe(
          Effect.map((all) => all.map(({ level }) => level)),
        ),
        ["warn", "warn", "warn"],
      )
    }),
  )

  it.effect("is not asked for where no DNS can have it", () =>
    Effect.gen(function* () {
      for (const domain of ["example.com", "mail.example.org", "localhost", "id.localhost", "acme.test", "acme.invalid", "intranet"])
        assert.deepStrictEqual(yield* levels({}, domain), [], domain)
      assert.lengthOf(yield* levels({}, "notexample.com"), 3)
    }),
  )

  const spf: Readonly<Record<string, ReadonlyArray<string>>> = {
    warn: ["v=spf1 +all", "v=spf1 a all", "v=spf10 -all", "spf1"],
    ok: ["v=spf1", "V=SPF1 ip4:192.0.2.1 ~all", "v=spf1 redirect=_spf.mail.dev", "v=spf1 include:all.mail.dev ?all"],
  }
  for (const [level, records] of Object.entries(spf))
    it.effect(`has an SPF record that is ${level}`, () =>
      Effect.gen(function* () {
        for (const record of records) assert.strictEqual((yield* levels({ ...good, "acme.dev": [record] }))[0], level, record)
      }),
    )

  it.effect("has one record of a kind", () =>
    Effect.gen(function* () {
      const twice = { ...good, "acme.dev": ["v=spf1 -all", "v=spf1 ~all"], "_dmarc.acme.dev": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }
      assert.deepStrictEqual(yield* levels(twice), ["error", "ok", "error"])
    }),
  )

  const keys = {
    "a short key": [`p=${spki(1024)}`, "warn"],
    "a key that receivers refuse": [`p=${spki(768)}`, "error"],
    "a revoked key": ["v=DKIM1; p=", "error"],
    "an Ed25519 key": ["v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "ok"],
    "a key in several pieces": [`v=DKIM1; p=${long.slice(0, 60)} ${long.slice(60)}`, "ok"],
    "no key": ["v=DKIM1", "error"],
  } as const
  for (const [name, [record, level]] of Object.entries(keys))
    it.effect(`has ${name}`, () =>
      Effect.map(levels({ ...good, "s1._domainkey.acme.dev": [record] }), (all) => assert.strictEqual(all[1], level)),
    )

  it.effect("has the DMARC policy of the nearest domain above it", () =>
    Effect.gen(function* () {
      const sub = (record: string) => ({ "_dmarc.acme.dev": [record] })
      const domain = "mail.id.acme.dev"
      assert.strictEqual((yield* levels(sub("v=DMARC1; p=reject"), domain))[2], "ok")
      assert.strictEqual((yield* levels(sub("v=DMARC1; p=none; sp=quarantine"), domain))[2], "ok")
      assert.strictEqual((yield* levels(sub("v=DMARC1;p=reject;sp=none"), domain))[2], "warn")
      assert.strictEqual((yield* levels({ ...sub("v=DMARC1; p=reject"), "_dmarc.id.acme.dev": ["v=DMARC1; p=none"] }, domain))[2], "warn")
      assert.strictEqual((yield* levels(sub("v=DMARC1; p=maybe")))[2], "error")
      assert.strictEqual((yield* levels({ "_dmarc.dev": ["v=DMARC1; p=reject"] }, domain))[2], "warn")
    }),
  )

  it.effect("is a warning where the DNS does not answer", () =>
    Effect.gen(function* () {
      const findings = yield* senderChecks({ domain: "acme.dev", dkimSelector: "s1" }, () => Effect.fail("ETIMEOUT"))
      assert.deepStrictEqual(
        findings.map(({ level }) => level),
        ["warn", "warn", "warn"],
      )
      assert.include(findings[0]?.text, "ETIMEOUT")
    }),
  )
})

/** A DNS server that knows one name, and answers that there is no other. */
const dnsServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = createSocket("udp4")
    socket.on("message", (query, { port, address }) => {
      const question = query.subarray(12)
      const isKnown = question.subarray(0, 10).equals(Buffer.from("\u0004acme\u0003dev\0", "latin1"))
      const text = (part: string) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])
      const data = Buffer.concat([text("v=spf1 "), text("-all")])
      const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length])
      const header = Buffer.from([query[0]!, query[1]!, 0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0])
      const asked = question.subarray(0, question.indexOf(0) + 5)
      socket.send(Buffer.concat([header, asked, ...(isKnown ? [answer, data] : [])]), port, address)
    })
    socket.bind(0, "127.0.0.1")
    await once(socket, "listening")
    return socket
  }),
  (socket) => Effect.promise(() => new Promise<void>((closed) => socket.close(() => closed()))),
)

describe("the DNS", () => {
  it.live("answers with the parts of a record joined, or with none", () =>
    Effect.gen(function* () {
      const { port } = (yield* dnsServer).address()
      const txt = txtFrom([`127.0.0.1:${port}`])
      assert.deepStrictEqual(yield* txt("acme.dev"), ["v=spf1 -all"])
      assert.deepStrictEqual(yield* txt("_dmarc.acme.dev"), [])
    }).pipe(Effect.scoped),
  )

  it.live("that does not answer is a failure with its code", () =>
    Effect.map(Effect.flip(txtFrom(["127.0.0.1:1"])("acme.dev")), (code) => assert.match(code, /^E[A-Z]+$/)),
  )
})
