import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSecureContext, TLSSocket } from "node:tls"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { rootCertificateFault, rootCertificateReader } from "../../../adapters/postgres/root-certificate.ts"
import { connect, serversOf } from "../../../adapters/postgres/servers.ts"
import { certificate } from "../../certificates.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-root-certificate-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const authority = await certificate({ name: "CN=Private authority", isAuthority: true })
const ofServer = await certificate({ name: "CN=db", names: [{ type: "dns", value: "localhost" }], issuer: authority })
const other = await certificate({ name: "CN=Another authority", isAuthority: true })
const trusted = file("ca.pem", authority.pem)
const untrusted = file("other.pem", other.pem)

/** The protocol that a client agrees on with a server that has a certificate of the private authority; undefined if it refuses the server. */
const agreedBy = async (parameters: string, host = "localhost") => {
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", ofServer.keys.privateKey)).toString("base64")
  const secureContext = createSecureContext({ cert: ofServer.pem, key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` })
  let agreed: string | undefined
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    // The answer to `SSLRequest` (PostgreSQL, "SSL Session Encryption").
    socket.once("data", () => {
      socket.write("S")
      const encrypted = new TLSSocket(socket, { isServer: true, secureContext })
      encrypted.on("error", () => undefined)
      encrypted.once("data", () => {
        agreed = encrypted.getProtocol() ?? undefined
        encrypted.destroy()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host === "localhost" ? "localhost" : "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const servers = serversOf(`postgres://sallyport@${host}:${port}/sallyport?${parameters}`)
  await Effect.runPromise(Effect.exit(Effect.scoped(connect({ servers, connectTimeout: "2 seconds" }))))
  server.close()
  return agreed
}

it("connects to a server whose certificate is from the authority in sslrootcert", async () => {
  for (const mode of ["require", "verify-ca", "verify-full"])
    expect(await agreedBy(`sslmode=${mode}&sslrootcert=${trusted}`)).toBe("TLSv1.3")
})

it("refuses other authorities, also without sslrootcert, and other names, in each mode that encrypts", async () => {
  for (const mode of ["require", "verify-ca", "verify-full"]) {
    expect(await agreedBy(`sslmode=${mode}`)).toBeUndefined()
    expect(await agreedBy(`sslmode=${mode}&sslrootcert=${untrusted}`)).toBeUndefined()
    expect(await agreedBy(`sslmode=${mode}&sslrootcert=${trusted}`, "127.0.0.1")).toBeUndefined()
  }
})

it("reads the file for each new connection, and keeps the last certificates while it has none", () => {
  const renewed = file("renewed.pem", other.pem)
  const read = rootCertificateReader(`postgres://a:b@one/c?sslmode=verify-full&sslrootcert=${renewed}`)
  expect(read()).toBe(other.pem)
  file("renewed.pem", authority.pem)
  expect(read()).toBe(authority.pem)
  file("renewed.pem", "half a file")
  expect(read()).toBe(authority.pem)
  rmSync(renewed)
  expect(read()).toBe(authority.pem)
  expect(rootCertificateReader("postgres://a:b@one/c?sslmode=verify-full")()).toBeUndefined()
})

it("finds a file that is missing or has no certificate, and a mode that would not use it", () => {
  const faultOf = (parameters: string) => rootCertificateFault(`postgres://a:b@one,two/c?${parameters}`)
  expect(faultOf(`sslmode=verify-full&sslrootcert=${trusted}`)).toBeUndefined()
  expect(faultOf("sslmode=verify-full")).toBeUndefined()
  expect(faultOf("sslmode=verify-full&sslrootcert=/no/such/file")).toMatch(/there is no such file/)
  expect(faultOf(`sslmode=verify-full&sslrootcert=${file("empty.pem", "")}`)).toMatch(/it has no certificate/)
  for (const mode of ["", "sslmode=prefer&", "sslmode=disable&"])
    expect(faultOf(`${mode}sslrootcert=${trusted}`)).toMatch(/sslmode=verify-full/)
})
