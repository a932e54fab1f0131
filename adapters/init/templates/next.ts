import { ofService, servicePort, type Write } from "./template.ts"

const mounted = (up: string) => `import { sallyport } from "sallyport"
import config from "${up}sallyport.config"

export const auth = sallyport(config)
`

const client = (up: string, isTyped: boolean) => `import { createClient } from "sallyport/client"
${isTyped ? `import { operations } from "${up}sallyport.types"\n` : ""}
export const client = createClient(${isTyped ? "{ operations }" : ""})
`

/** The import of `lib/auth` in a file this many folders deep. */
const authFrom = (depth: number) => `${depth === 0 ? "./" : "../".repeat(depth)}lib/auth`

const endpoints = `import { mount } from "sallyport/backend/next"
import { auth } from "${authFrom(4)}"

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = mount(auth)
`

const pages = `import { mount } from "sallyport/backend/next"
import { auth } from "${authFrom(3)}"

// The pages of the service: sign-in, account, and those of the links in its mails.
export const { GET, HEAD, POST } = mount(auth)
`

const proxy = (isTyped: boolean) => `import { ${isTyped ? "type NextRequest, " : ""}NextResponse } from "next/server"
import { auth } from "${authFrom(0)}"

/** Extends the session at each visit, which a server component cannot do. It guards nothing: each page and route checks the session. */
export const proxy = async (request${isTyped ? ": NextRequest" : ""}) => {
  const verdict = await auth.getSession(request)
  const response = NextResponse.next()
  if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) response.headers.append(name, value)
  return response
}

export const config = { matcher: "/((?!api/|auth/|_next/|.*\\\\.).*)" }
`

const rewrites = `next.config: rewrites: async () =>
  ["/api/auth", "/auth"].map((path) => ({
    source: \`\${path}/:path*\`,
    destination: \`\${process.env.AUTH_URL ?? "http://127.0.0.1:${servicePort}"}\${path}/:path*\`,
  })),`

const mountSteps = [
  `next.config: serverExternalPackages: ["sallyport"],`,
  "next.config, Next.js 16.4: experimental: { turbopackServerFastRefresh: false }, or `next dev` misses edits of the configuration.",
  "Next.js knows no address of the client: set client_address in sallyport.config to that of your platform or proxy.",
]

export const next: Write = ({ base, extension }, { layout }) => {
  const isMounted = layout === "mount"
  const isTyped = extension === "ts"
  const up = base === "" ? "../" : "../../"
  const file = (path: string, text: string) => ({ path: `${base}${path}.${extension}`, text })
  const routes = [file("app/api/auth/[...path]/route", endpoints), file("app/auth/[...path]/route", pages)]
  return {
    files: [
      file("lib/auth", isMounted ? mounted(up) : ofService),
      file("lib/auth-client", client(up, isTyped)),
      ...(isMounted ? routes : []),
      file("proxy", proxy(isTyped)),
    ],
    steps: isMounted ? mountSteps : [rewrites],
    isTyped,
  }
}
