import type { Choices, Method, Store } from "../choices.ts"
import { servicePort } from "./template.ts"

const stores: Readonly<Record<Store, ReadonlyArray<string>>> = {
  embedded: [],
  postgres: [`store: { kind: "postgres", url: process.env.DATABASE_URL ?? "", schema: "auth" },`],
  mongo: [`store: { kind: "mongo", url: process.env.DATABASE_URL ?? "" },`],
}

const modules: Readonly<Partial<Record<Method, ReadonlyArray<string>>>> = {
  passkey: ["passkey: {},"],
  magic_link: ["magic_link: {},"],
  google: [
    "social: {",
    "  providers: [",
    "    {",
    `      preset: "google",`,
    `      client_id: process.env.GOOGLE_CLIENT_ID ?? "",`,
    `      client_secret: process.env.GOOGLE_CLIENT_SECRET ?? "",`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code
    "      redirect_uri: `${origin}/api/auth/oauth/callback`,",
    `      success_redirect: "/",`,
    "    },",
    "  ],",
    "},",
  ],
}

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)

const databaseUrl = (store: Store) => (store === "embedded" ? "SALLYPORT_DATABASE_URL" : "DATABASE_URL")

/** `sallyport.config`. */
export const configuration = ({ layout, store, methods }: Choices): string => {
  const enabled = methods.flatMap((method) => modules[method] ?? [])
  const settings = [
    `environment: "fill",`,
    ...(layout === "proxy" ? [`listen: { port: ${servicePort} },`] : []),
    ...stores[store],
    ...(methods.includes("password") ? ["email_password: { enabled: true },"] : []),
    `pages: { path: "/auth" },`,
    ...(enabled.length === 0 ? [] : ["modules: {", ...indented(enabled), "},"]),
  ]
  const origin = `const origin = process.env.SALLYPORT_PUBLIC_URL ?? "http://localhost:3000"\n\n`
  return `import { defineConfig } from "sallyport"

${methods.includes("google") ? origin : ""}// The environment adds the secret, the public URL and the database: SALLYPORT_SECRET, SALLYPORT_PUBLIC_URL, ${databaseUrl(store)}.
export default defineConfig({
${indented(settings).join("\n")}
})
`
}
