import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import * as Crypto from "../../../adapters/crypto/certificates.ts"
import { Certificates } from "../../../domain/ports/certificates.ts"
import { certificate, clientAuth, serverAuth } from "../../certificates.ts"

const run = <A>(use: (port: Certificates["Service"]) => Effect.Effect<A>) =>
  Effect.runPromise(Effect.flatMap(Certificates, use).pipe(Effect.provide(Crypto.layer)))
const bytes = (der: string) => new Uint8Array(Buffer.from(der, "base64"))
const readOf = async (der: string) => Option.getOrThrow(await run(({ read }) => read(bytes(der))))
const subjectOf = async (name: string) => (await readOf((await certificate({ name })).der)).subject

describe("a certificate", () => {
  it("has its subject in the order of RFC 4514", async () => {
    expect(await subjectOf("C=DE, O=Example, CN=client")).toBe("CN=client,O=Example,C=DE")
    expect(await subjectOf("O=a\\, b, CN=x\\+y")).toBe("CN=x\\+y,O=a\\, b")
    expect(await subjectOf("O=Example, CN=client\\0AO=Other")).toBe("CN=client\\0AO=Other,O=Example")
  })

  it("has its names, which cannot be taken for others", async () => {
    const { der } = await certificate({
      names: [
        { type: "dns", value: "a.example.com" },
        { type: "url", value: "https://example.com/a, DNS:evil.example" },
        { type: "ip", value: "192.0.2.1" },
        { type: "ip", value: "2001:db8::1" },
        { type: "email", value: "a@example.com" },
        { type: "id", value: "1.2.3.4" },
      ],
    })
    expect((await readOf(der)).names).toEqual({
      dns: ["a.example.com"],
      uri: ["https://example.com/a, DNS:evil.example"],
      ip: ["192.0.2.1", "2001:DB8:0:0:0:0:0:1"],
      email: ["a@example.com"],
    })
    expect((await readOf((await certificate()).der)).names).toEqual({ dns: [], uri: [], ip: [], email: [] })
  })

  it("is for clients unless its extended key usage excludes them", async () => {
    const isForClients = async (usages?: ReadonlyArray<string>) =>
      (await readOf((await certificate(usages === undefined ? {} : { usages })).der)).is_for_clients
    expect(await isForClients()).toBe(true)
    expect(await isForClients([serverAuth, clientAuth])).toBe(true)
    expect(await isForClients(["2.5.29.37.0"])).toBe(true)
    expect(await isForClients([serverAuth])).toBe(false)
  })

  it("is exactly one in DER", async () => {
    const { der, pem } = await certificate()
    const refused = async (content: Uint8Array) => Option.isNone(await run(({ read }) => read(content)))
    expect(await refused(bytes(der))).toBe(false)
    expect(await refused(new Uint8Array([...bytes(der), 0]))).toBe(true)
    expect(await refused(new Uint8Array([...bytes(der), ...bytes(der)]))).toBe(true)
    expect(await refused(bytes(der).subarray(1))).toBe(true)
    expect(await refused(new TextEncoder().encode(pem))).toBe(true)
    expect(await refused(new Uint8Array())).toBe(true)
  })

  it("is issued by the authority that signed it", async () => {
    const authority = await certificate({ name: "CN=CA", isAuthority: true })
    const impostor = await certificate({ name: "CN=CA", isAuthority: true })
    const client = await certificate({ issuer: authority })
    const leaf = await certificate({ name: "CN=leaf", issuer: authority })
    const byLeaf = await certificate({ issuer: leaf })
    const isIssued = async (issued: { der: string }, issuer: { der: string }) => {
      const [one, other] = [await readOf(issued.der), await readOf(issuer.der)]
      return run(({ isIssuedBy }) => isIssuedBy(one, other))
    }
    expect(await isIssued(client, authority)).toBe(true)
    expect(await isIssued(client, impostor)).toBe(false)
    expect(await isIssued(byLeaf, leaf)).toBe(false)
    expect(await isIssued(byLeaf, authority)).toBe(false)
    expect(await isIssued(await certificate(), authority)).toBe(false)
  })
})
