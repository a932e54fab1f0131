// A server of the Model Context Protocol with two tools, for the users of a Sallyport service.
import { createServer, type RequestListener } from "node:http"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { createResourceServer } from "sallyport/backend/resource-server"
import { z } from "zod"

const issuer = `${process.env.AUTH_URL ?? "http://localhost:3000"}/api/auth`
const port = Number(process.env.PORT ?? 4000)
const resource = `http://localhost:${port}/mcp`
const secret = process.env.INTROSPECTION_SECRET

const guard = createResourceServer({
  issuer,
  resource,
  name: "Notes",
  scopes: ["notes:read"],
  // With a client that may introspect, a revoked token ends at once.
  ...(secret === undefined ? {} : { introspection: { client_id: "notes", client_secret: secret } }),
})

/** The notes of each user. */
const notes = new Map<string, Array<string>>()
const notesOf = (user: string) => notes.get(user) ?? []

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] })

const handler = createMcpHandler(({ authInfo }) => {
  const user = String(authInfo?.extra?.["subject"])
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  server.registerTool("list_notes", { description: "Lists your notes." }, () => text(notesOf(user).join("\n") || "There are no notes."))
  server.registerTool("add_note", { description: "Adds a note.", inputSchema: z.object({ note: z.string().max(1000) }) }, ({ note }) => {
    notes.set(user, [...notesOf(user), note])
    return text("The note was added.")
  })
  return server
})

/** The scopes that the called tools need. */
const scopesOf = (body: unknown) => {
  const calls = [body].flat() as ReadonlyArray<{ method?: string; params?: { name?: string } } | null>
  const writes = calls.some((call) => call?.method === "tools/call" && call.params?.name === "add_note")
  return writes ? ["notes:read", "notes:write"] : ["notes:read"]
}

const maxBytes = 100_000
const bodyOf = async (request: Request): Promise<unknown> => {
  const text = Number(request.headers.get("content-length") ?? maxBytes) >= maxBytes ? "" : await request.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answer = async (request: Request): Promise<Response> => {
  const metadata = guard.respond(request)
  if (metadata !== undefined) return metadata
  if (new URL(request.url).pathname !== "/mcp") return new Response(null, { status: 404 })
  const first = await guard.authorize(request)
  if (first.status === "refused") return Response.json(first.refusal.body, first.refusal)
  const parsedBody = request.method === "POST" ? await bodyOf(request) : {}
  if (parsedBody === undefined) return new Response(null, { status: 400 })
  const verdict = await guard.authorize(request, { scopes: scopesOf(parsedBody) })
  if (verdict.status === "refused") return Response.json(verdict.refusal.body, verdict.refusal)
  const { token, client_id, scopes, expires_at, subject } = verdict
  const authInfo = { token, clientId: client_id, scopes: [...scopes], expiresAt: expires_at, extra: { subject } }
  return handler.fetch(request, { authInfo, ...(request.method === "POST" ? { parsedBody } : {}) })
}

const serve = toNodeHandler({ fetch: answer }) as RequestListener
createServer(serve).listen(port, "127.0.0.1", () => console.log(`MCP server at ${resource}`))
