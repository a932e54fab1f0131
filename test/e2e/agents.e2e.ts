import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Client, type OAuthClientInformation, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { beforeAll, describe, expect, it } from "vitest"
import { certificate } from "../certificates.ts"
import { freePort } from "../free-port.ts"
import { atEnd } from "./endings.ts"
import { type Program, repository, start, temporaryFolder } from "./program.ts"
import { untilListening } from "./waiting.ts"

// The client library of the Model Context Protocol connects to examples/mcp-server.ts: 401, metadata, consent, a tool, a step-up by 403, a
// refresh, and the end of its access.

const secret = "the secret of the client that may introspect tokens"
const port = await freePort()
const resource = `http://localhost:${port}/mcp`

/** A host with the metadata document of a client, and the file with its certificate. */
const startDocumentHost = async (folder: string) => {
  const { keys, pem } = await certificate({ name: "CN=localhost", names: [{ type: "dns", value: "localhost" }], isAuthority: true })
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64")
  const file = join(folder, "authority.pem")
  writeFileSync(file, pem)
  const options = { cert: pem, key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----` }
  const server = createServer(options, (_, response) => {
    const url = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
    const document = { client_id: url, client_name: "The Agent", redirect_uris: ["http://localhost/callback"] }
    response.setHeader("content-type", "application/json").end(JSON.stringify(document))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  atEnd(() => void server.close())
  return { file, url: `https://localhost:${(server.address() as AddressInfo).port}/client.json` }
}

let program: Program
let origin: string
let documentUrl: string
/** The cookies of the user's browser. */
const cookies = new Map<string, string>()

beforeAll(async () => {
  const host = await startDocumentHost(temporaryFolder())
  documentUrl = host.url
  program = await start(
    {
      store: { kind: "memory" },
      pages: {},
      modules: {
        idp: {
          resources: [{ resource, name: "Notes", scopes: ["notes:read", "notes:write"] }],
          metadata_clients: { allow: ["any"] },
          open_registration: {},
          allow_private_addresses: true,
          clients: [{ client_id: "notes", client_secret: secret, grant_types: ["client_credentials"], resource_server: true }],
        },
      },
    },
    { NODE_EXTRA_CA_CERTS: host.file },
  )
  origin = `http://localhost:${program.port}`
  const env = { ...process.env, AUTH_URL: origin, PORT: String(port), INTROSPECTION_SECRET: secret }
  const server = spawn(process.execPath, ["examples/mcp-server.ts"], { cwd: repository, env, stdio: "inherit" })
  atEnd(() => server.kill())
  await untilListening("the MCP server", port)
  await visit("/api/auth/sign-up/email", { email: "ada@example.com", password: "correct horse battery staple" })
})

/** A request of the user's browser. */
const visit = async (path: string, body?: unknown) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const headers = { origin, cookie, accept: "text/html", ...(body === undefined ? {} : { "content-type": "application/json" }) }
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  const response = await fetch(new URL(path, origin), { redirect: "manual", headers, ...sent })
  for (const field of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(field) ?? []
    cookies.set(name, value)
  }
  return response
}

/** Follows the browser until it leaves the service; the user allows what is asked. Returns the text of the page, and where the client is sent. */
const allow = async (url: URL) => {
  let page = ""
  let at = url
  while (at.origin === origin) {
    const response = await visit(at.href)
    const location = response.headers.get("location")
    if (location === null && at.pathname !== "/consent") throw new Error(`${at} answers ${response.status}: ${await response.text()}`)
    if (location === null) {
      page = await response.text()
      const request_uri = at.searchParams.get("request_uri")
      const answer = (await (await visit("/api/auth/oauth2/consent/allow", { request_uri })).json()) as { readonly redirect: string }
      at = new URL(answer.redirect, origin)
    } else at = new URL(location, at)
  }
  return { page, parameters: at.searchParams }
}

/** A client of the Model Context Protocol, as an editor has one. */
const agent = (options: Partial<OAuthClientProvider>) => {
  let tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>
  let information: OAuthClientInformation | undefined
  let [verifier, discovery]: [string, any] = ["", undefined]
  let asked: URL | undefined
  const redirectUrl = "http://localhost:45555/callback"
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: "The Editor",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
    },
    redirectToAuthorization: (url) => {
      asked = url
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovery = state
    },
    discoveryState: () => discovery,
    ...options,
  }
  let transport: StreamableHTTPClientTransport
  const connect = async () => {
    transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider })
    const client = new Client({ name: "editor", version: "1.0.0" })
    await client.connect(transport)
    return client
  }
  /** Runs something; if it needs the user, the user allows it, and it runs again. */
  const allowing = async <A>(run: () => Promise<A>) => {
    try {
      return { page: "", answer: await run() }
    } catch (error) {
      if (asked === undefined) throw error
      const { page, parameters } = await allow(asked)
      asked = undefined
      await transport.finishAuth(parameters)
      return { page, answer: await run() }
    }
  }
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const client = await connect()
    const { content } = await client.callTool({ name, arguments: input })
    return (content as ReadonlyArray<{ readonly text: string }>)[0]?.text
  }
  return {
    allowing,
    call,
    tokens: () => tokens,
    clientId: () => information?.client_id,
    expire: () => {
      tokens = { ...tokens!, access_token: "expired" }
    },
  }
}

const ways = [
  ["a metadata document", () => ({ clientMetadataUrl: documentUrl }), /^https:/, "localhost"],
  ["a registration", () => ({}), /^open_/, "An application"],
] as const

describe.each(ways)("a client with %s", (_, options, id, title) => {
  it("connects, calls tools, gets further scopes, refreshes, and ends with the user's decision", async () => {
    const { allowing, call, tokens, clientId, expire } = agent(options())
    const first = await allowing(() => call("list_notes"))
    expect(first.page).toContain(title)
    expect(first.page).toContain("This name is not verified.")
    expect(first.answer).toMatch(/note/)
    expect(clientId()).toMatch(id)
    expect(tokens()?.scope?.split(" ")).not.toContain("notes:write")

    const second = await allowing(() => call("add_note", { note: `a note by ${id}` }))
    expect(second.page).not.toBe("")
    expect(await call("list_notes")).toContain(`a note by ${id}`)

    const { refresh_token } = tokens()!
    expire()
    await call("list_notes")
    expect(tokens()?.refresh_token).not.toBe(refresh_token)

    await visit("/api/auth/oauth2/grants/revoke", { client_id: clientId() })
    const { token_type, access_token } = tokens()!
    const headers = { authorization: `${token_type} ${access_token}`, "content-type": "application/json" }
    const refused = await fetch(resource, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining('error="invalid_token"')])
  })
})
