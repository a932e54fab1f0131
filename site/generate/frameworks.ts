import { extname, join } from "node:path/posix"
import manifest from "../../package.json" with { type: "json" }
import { code } from "./markdown.ts"
import { madePage, type Page } from "./page.ts"
import { read } from "./repository.ts"

/** A file of an example, or the paragraph of it that contains a text. */
type Part = string | readonly [file: string, text: string]

interface Framework {
  readonly title: string
  readonly slug: string
  /** The example, below `examples`. */
  readonly folder: string
  readonly isWrittenByInit?: true
  readonly mount: ReadonlyArray<Part>
  /** A file of the application whose members the example only adds. */
  readonly additions?: string
  /** How the service learns the address of the client. */
  readonly address: string
  readonly page: ReadonlyArray<Part>
  readonly route: ReadonlyArray<Part>
  readonly action: ReadonlyArray<Part>
  /** Whether the framework refuses forms of other origins. */
  readonly checksForms?: true
  readonly start: string
  readonly deploy: string
}

const mounted = (title: string, slug: string, others: Omit<Framework, "title" | "slug" | "folder">): Framework => ({
  title,
  slug,
  folder: `mounted/${slug}`,
  ...others,
})

/** A server in one file, beside the files that `init` writes. */
const server = (title: string, slug: string, address: string): Framework =>
  mounted(title, slug, {
    isWrittenByInit: true,
    mount: ["sallyport.config.ts", "auth.ts", "tsconfig.json"],
    address,
    page: ["server.ts"],
    route: [["server.ts", 'app.get("/me"']],
    action: [["server.ts", 'app.post("/sign-out"']],
    start: "npx tsc && node --env-file=.env.local dist/server.js",
    deploy: "",
  })

const forgeable = "With the option `xForwardedFor`, `getRequestIP` returns what the client wrote."
const behindProxy = "Behind a proxy, list it in `trusted_proxies`."

export const frameworks: ReadonlyArray<Framework> = [
  {
    title: "Next.js",
    slug: "next",
    folder: "next-mounted",
    isWrittenByInit: true,
    mount: ["sallyport.config.ts", "lib/auth.ts", "app/api/auth/[...path]/route.ts", "app/auth/[...path]/route.ts", "proxy.ts"],
    additions: "next.config.ts",
    address:
      'Next.js knows no address of the client: set `client_address` in the configuration to your platform (such as `"vercel"`), or to the header field that your proxy overwrites (`{ header: "x-real-ip" }`).',
    page: ["app/page.tsx"],
    route: ["app/me/route.ts"],
    action: ["app/actions.ts"],
    checksForms: true,
    start: "npx next build && npx next start",
    deploy:
      "`next build` needs neither the secret nor the database. On serverless platforms use PostgreSQL with a pooler, and pass `waitUntil: after` of `next/server` to `mount`.",
  },
  mounted("SvelteKit", "sveltekit", {
    mount: ["src/lib/server/auth.ts", "src/routes/api/auth/[...path]/+server.ts", "src/routes/auth/[...path]/+server.ts"],
    address: `\`getClientAddress()\` is the peer. ${behindProxy}`,
    page: ["src/routes/+page.server.ts", "src/routes/+page.svelte"],
    route: ["src/routes/me/+server.ts"],
    action: [["src/routes/+page.server.ts", "export const actions"]],
    checksForms: true,
    start: "npx vite build && node build",
    deploy:
      "`@sveltejs/adapter-node` assumes https: on plain http, set `paths.origin`, or forms are refused. Sign in with Apple posts a form from another origin: add `https://appleid.apple.com` to `csrf.trustedOrigins`.",
  }),
  mounted("Nuxt", "nuxt", {
    mount: ["server/utils/auth.ts", "server/api/auth/[...].ts", "server/routes/auth/[...].ts"],
    address: `\`getRequestIP(event)\` is the peer. ${forgeable}`,
    page: ["server/api/session.get.ts", "app/app.vue"],
    route: ["server/routes/me.get.ts"],
    action: ["server/routes/sign-out.post.ts"],
    start: "npx nuxt build && node .output/server/index.mjs",
    deploy: behindProxy,
  }),
  mounted("Nitro", "nitro", {
    mount: ["auth.ts", "routes/api/auth/[...].ts", "routes/auth/[...].ts"],
    address: `The address is that of the socket. ${forgeable}`,
    page: ["routes/index.ts"],
    route: ["routes/me.get.ts"],
    action: ["routes/sign-out.post.ts"],
    start: "npx nitro build && node .output/server/index.mjs",
    deploy: behindProxy,
  }),
  mounted("Astro", "astro", {
    mount: ["astro.config.ts", "src/auth.ts", "src/pages/api/auth/[...path].ts", "src/pages/auth/[...path].ts"],
    address: "`clientAddress` is the peer.",
    page: ["src/pages/index.astro"],
    route: ["src/pages/me.ts"],
    action: ["src/pages/sign-out.ts"],
    checksForms: true,
    start: "npx astro build && node dist/server/entry.mjs",
    deploy:
      "Behind a proxy with TLS, forms need `security.allowedDomains`; then clients can forge `clientAddress`, so set `client_address`. Sign in with Apple posts a form from another origin, which `security.checkOrigin` refuses.",
  }),
  mounted("TanStack Start", "tanstack-start", {
    mount: ["src/auth.ts", "src/routes/api/auth/$.ts", "src/routes/auth/$.ts"],
    address: `\`getRequestIP()\` is the peer. ${forgeable}`,
    page: ["src/routes/index.tsx"],
    route: ["src/routes/me.ts"],
    action: ["src/routes/sign-out.ts"],
    start: "npx vite build && npx srvx --prod --static ../client dist/server/server.js",
    deploy: behindProxy,
  }),
  mounted("React Router", "react-router", {
    mount: ["app/auth.server.ts", "app/routes.ts", "app/routes/api.auth.$.ts"],
    address: "React Router knows no address of the client: set `client_address` to the header field that your proxy overwrites.",
    page: ["app/routes/home.tsx"],
    route: ["app/routes/me.ts"],
    action: [["app/routes/home.tsx", "export const action"]],
    checksForms: true,
    start: "npx react-router build && npx react-router-serve build/server/index.js",
    deploy:
      "Behind a proxy with TLS, list your host in `allowedActionOrigins` of `react-router.config.ts`: `react-router-serve` sees http, and otherwise refuses forms.",
  }),
  mounted("NestJS", "nestjs", {
    mount: ["src/auth.ts", "src/main.ts"],
    address: `The address is that of the socket. ${behindProxy}`,
    page: ["src/pages.ts"],
    route: ["src/session-guard.ts", ["src/pages.ts", '@Get("me")']],
    action: [["src/pages.ts", '@Post("sign-out")']],
    start: "npx tsc && node dist/main.js",
    deploy: "",
  }),
  server(
    "Express",
    "express",
    `\`nodeHandler\` reads the socket's address. ${behindProxy} Set Express's own \`trust proxy\` for \`request.ip\`.`,
  ),
  server("Hono", "hono", `\`getConnInfo\` of Hono's Node adapter is the peer. ${behindProxy}`),
  server(
    "Fastify",
    "fastify",
    `\`nodeHandler\` reads the socket's address. ${behindProxy} Set Fastify's own \`trustProxy\` for \`request.ip\`.`,
  ),
]

/** What builds an example and uses it. */
const tested = (folder: string) =>
  `<!-- docs: not run: ${folder === "next-mounted" ? "test/package/next.test.ts" : "npm run test:examples:nightly"} builds the example and uses it -->`

const paragraphOf = (file: string, text: string): string => {
  const found = read(file)
    .split(/\n\n/)
    .filter((paragraph) => paragraph.includes(text))
  if (found.length !== 1) throw new Error(`${file} has ${found.length} paragraphs with ${text}`)
  return found[0]!
}

/** The code of parts of an example. */
export const shown =
  (folder: string) =>
  (part: Part): string => {
    const [file, text] = typeof part === "string" ? [part] : part
    const path = join("examples", folder, file)
    const block = code(extname(file).slice(1), text === undefined ? read(path) : paragraphOf(path, text))
    return [`\`${file}\`:`, `${tested(folder)}\n${block}`].join("\n\n")
  }

/** The members of the object that a file of an example exports, to be added to the application's own. */
export const added = (folder: string, file: string): string => {
  const members = /^export default \{\n(.*?)^\}/ms.exec(read(join("examples", folder, file)))?.[1]
  if (members === undefined) throw new Error(`${file} exports no object`)
  const block = code(extname(file).slice(1), members.replaceAll(/^ {2}/gm, "").trimEnd())
  return [`Add these lines to the object in your \`${file}\`, and keep what is there:`, `${tested(folder)}\n${block}`].join("\n\n")
}

/** The version of Node that the package needs. */
export const nodeNote = `Sallyport needs Node ${manifest.engines.node.replace(">=", "")} or later.`

export const shell = (folder: string, ...lines: ReadonlyArray<string>) => `${tested(folder)}\n${code("sh", lines.join("\n"))}`

const install = ({ folder, isWrittenByInit }: Framework): ReadonlyArray<string> =>
  isWrittenByInit
    ? [
        shell(folder, "npm create sallyport"),
        "This writes the files of the mount, and `.env.local` with the secret, changes no existing file, and prints what is left to do.",
        ...(folder === "next-mounted"
          ? [
              "With its defaults, the first files below are what it writes. It also writes `lib/auth-client.ts`, the client for scripts of a page, and `sallyport.types.ts`, its types.",
            ]
          : ["Imports end with `.ts` where `tsconfig.json` has `rewriteRelativeImportExtensions`, as below, else with `.js`."]),
      ]
    : [shell(folder, "npm install sallyport", "export SALLYPORT_SECRET=$(npx sallyport secret)")]

const pageOf = (framework: Framework): Page => {
  const { title, slug, folder, mount, additions, address, page, route, action, checksForms, start, deploy, isWrittenByInit } = framework
  const files = (parts: ReadonlyArray<Part>) => parts.map(shown(folder))
  const forms = checksForms
    ? `${title} refuses forms of other origins.`
    : "Forms of other sites carry no session, since its cookie is `SameSite=Lax`; in an action that needs no session, check the `Origin` yourself."
  return madePage(`frameworks/${slug}`, title, "examples/mounted/README.md", [
    `Sallyport inside ${title}: its pages to sign in, the session in a page and in a route, and sign-out.`,
    "## Install",
    nodeNote,
    ...install(framework),
    "## Mount",
    ...files(mount),
    ...(additions === undefined ? [] : [added(folder, additions)]),
    `The endpoints are at \`/api/auth\`, the pages at \`/auth\`. ${address}`,
    "## Page",
    "Rendering a page reads the session without extending it; protected routes and the browser's own calls extend it.",
    ...files(page),
    "## Protected route",
    "Without a session it answers 401, and 503 during an outage, which signs no user out.",
    ...files(route),
    "## Server action",
    `\`call\` runs an operation for the user of the request; its cookies go into the response. It checks no origin. ${forms}`,
    ...files(action),
    "## Deploy",
    shell(folder, start),
    `Set \`SALLYPORT_SECRET\`, \`SALLYPORT_PUBLIC_URL\` and \`SALLYPORT_DATABASE_URL\`; without the last one, the data is in \`.sallyport\`. ${isWrittenByInit ? "With a database other than the embedded one, `init` writes a `store` with `DATABASE_URL`, which replaces it. " : ""}${deploy}`.trim(),
    "Next: [the client for scripts of a page](/guides/your-app/), [production](/guides/production/).",
  ])
}

export const frameworkPages: ReadonlyArray<Page> = [
  madePage("frameworks", "Frameworks", "examples/mounted/README.md", [
    "Sallyport inside your framework, with sign-in pages, a protected route and sign-out.",
    frameworks.map(({ title, slug }) => `- [${title}](/frameworks/${slug}/)`).join("\n"),
    "In other languages, or apart from your application: [your page and your backend](/guides/your-app/).",
  ]),
  ...frameworks.map(pageOf),
]
