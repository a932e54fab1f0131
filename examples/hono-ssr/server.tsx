import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { serveStatic } from "@hono/node-server/serve-static"
import { type Context, Hono } from "hono"
import { proxy } from "hono/proxy"
import { renderToString } from "react-dom/server"
import { createBackend } from "sallyport/backend"
import { requireSession } from "sallyport/backend/hono"
import type { SessionOf, SessionState } from "sallyport/client"
import { Account } from "./account"

const service = process.env.AUTH_URL ?? "http://localhost:3000"
const backend = createBackend({ url: `${service}/api/auth` })
const address = (context: Context) => getConnInfo(context).remote.address

const page = (rendered: SessionState<SessionOf>) => `<!doctype html>
<title>Hono</title>
<div id="root">${renderToString(<Account rendered={rendered} />)}</div>
<script type="application/json" id="session">${JSON.stringify(rendered).replaceAll("<", "\\u003c")}</script>
<script src="/browser.js"></script>`

const app = new Hono()

// One origin for the page and the service.
app.all("/api/auth/*", (context) => {
  const { pathname, search } = new URL(context.req.url)
  return proxy(service + pathname + search, {
    raw: context.req.raw,
    headers: { ...context.req.header(), "x-forwarded-for": address(context) },
  })
})

app.get("/", async (context) => {
  const verdict = await backend.getSession(context.req.raw, { address: address(context) })
  if (verdict.status === "unavailable") return context.text("Try again in a minute.", 503)
  const { headers, ...rendered } = verdict
  for (const [name, value] of headers) context.header(name, value, { append: true })
  return context.html(page(rendered))
})

app.get("/me", requireSession(backend, { address }), (context) => context.json(context.get("auth").user))

app.get("/browser.js", serveStatic({ root: "dist" }))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3701) })
